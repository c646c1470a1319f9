-- A workload for Lua: closures, metatables, coroutines, strings and patterns, integers and floats, errors, sorting.
local function check(name, value) print(name, value) end

local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
check("fib", fib(24))

local words = {}
for w in ("the quick brown fox jumps over the lazy dog and runs away"):gmatch("%a+") do words[#words + 1] = w end
table.sort(words, function(a, b) return #a < #b or (#a == #b and a < b) end)
check("sorted", table.concat(words, " "))
check("gsub", ("hello world"):gsub("(%w+)", "<%1>"))
check("format", string.format("%5.2f|%-8s|%08x|%q|%g|%i", 3.14159, "ab", 48879, 'a "b"\n', 1e100, -7))
check("pack", string.pack("<i4d", -5, 2.5):byte(1, -1))
check("find", ("key = value"):find("^(%w+)%s*=%s*(%w+)$"))

local Vector = {}
Vector.__index = Vector
Vector.__add = function(a, b) return setmetatable({x = a.x + b.x, y = a.y + b.y}, Vector) end
Vector.__eq = function(a, b) return a.x == b.x and a.y == b.y end
Vector.__tostring = function(v) return "(" .. v.x .. ", " .. v.y .. ")" end
Vector.__lt = function(a, b) return a.x < b.x end
local v = setmetatable({x = 1, y = 2}, Vector) + setmetatable({x = 0.5, y = -2}, Vector)
check("vector", tostring(v) .. tostring(v == setmetatable({x = 1.5, y = 0}, Vector)))

local function permutations(list, n)
    if n == 0 then coroutine.yield(list) return end
    for i = 1, n do
        list[n], list[i] = list[i], list[n]
        permutations(list, n - 1)
        list[n], list[i] = list[i], list[n]
    end
end
local count, sum = 0, 0
for p in coroutine.wrap(function() permutations({1, 2, 3, 4, 5, 6, 7}, 7) end) do
    count = count + 1
    sum = (sum * 31 + p[1] * 7 + p[7]) % 1000003
end
check("permutations", count .. " " .. sum)

check("integers", math.maxinteger + 1 == math.mininteger)
check("division", (7 // 2) .. " " .. (-7 // 2) .. " " .. (7 % -3) .. " " .. (-7.5 // 2) .. " " .. (2 ^ 0.5))
check("bits", (0xff ~ 0x0f) .. " " .. (1 << 62) .. " " .. (~0 >> 60))
check("compare", tostring(1 == 1.0) .. tostring(2^53 == 2^53 + 1) .. tostring(math.type(3 // 1.0)))
check("number", tostring(1e15) .. " " .. tostring(0.1) .. " " .. tostring(-0.0) .. " " .. 1/0 .. " " .. tonumber("0x1p4"))

check("error", select(2, pcall(function() error({code = 42}) end)).code)
check("traceback", select(2, pcall(function() local t = nil; return t.x end)))
check("nested", select(2, pcall(string.rep, "x", -1)) == "")
check("close", (function()
    local log = {}
    do
        local a <close> = setmetatable({}, {__close = function() log[#log + 1] = "a" end})
        local b <close> = setmetatable({}, {__close = function() log[#log + 1] = "b" end})
    end
    return table.concat(log)
end)())

local sieve, primes = {}, 0
for i = 2, 100000 do
    if not sieve[i] then
        primes = primes + 1
        for k = i * i, 100000, i do sieve[k] = true end
    end
end
check("primes", primes)

local parts = {}
for i = 1, 20000 do parts[i] = ("%d:%s"):format(i, string.char(65 + i % 26)) end
local text = table.concat(parts, ",")
local hash = 0
for i = 1, #text do hash = (hash * 31 + text:byte(i)) & 0xffffffff end
check("text", #text .. " " .. hash)

local weak = setmetatable({}, {__mode = "k"})
for i = 1, 1000 do weak[{}] = i end
collectgarbage()
check("weak", next(weak) == nil)
local goto_count = 0
::again::
goto_count = goto_count + 1
if goto_count < 5 then goto again end
check("goto", goto_count)
check("load", load("local a, b = ...; return a * b + 1")(6, 7))
check("varargs", select("#", table.unpack({1, nil, 3, nil}, 1, 4)))
check("utf8", utf8.len("naïve €") .. " " .. utf8.char(8364, 120))
