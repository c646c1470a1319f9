# A workload for mruby: blocks, classes, arrays, hashes, strings, exceptions.
def fib(n)
  n < 2 ? n : fib(n - 1) + fib(n - 2)
end
puts fib(20)

class Shape
  def initialize(name)
    @name = name
  end
  def describe
    @name + " " + area.to_s
  end
end
class Square < Shape
  def initialize(side)
    super("square")
    @side = side
  end
  def area
    @side * @side
  end
end
puts Square.new(7).describe

a = [5, 3, 8, 1]
puts a.map { |x| x * 2 }.inspect
puts a.sort.inspect
sum = 0
a.each { |x| sum += x }
puts sum
h = {}
h["one"] = 1
h["two"] = 2
puts h["one"] + h["two"]
sieve = []
primes = 0
i = 2
while i < 5000
  unless sieve[i]
    primes += 1
    k = i * i
    while k < 5000
      sieve[k] = true
      k += i
    end
  end
  i += 1
end
puts primes
begin
  raise "problem"
rescue => e
  puts "rescued"
end
puts (1..10).inspect
puts "text".size
puts 7 / 2
puts 1.5 * 3
10.times { |n| sum = (sum * 31 + n) % 10007 }
puts sum
