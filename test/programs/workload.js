// A workload for a small JavaScript engine: closures, prototypes, regular expressions, JSON, numbers, errors.
function check(name, value) { print(name + ': ' + value); }

function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
check('fib', fib(20));

function Shape(name) { this.name = name; }
Shape.prototype.describe = function () { return this.name + ' of area ' + this.area().toFixed(3); };
function Circle(r) { Shape.call(this, 'circle'); this.r = r; }
Circle.prototype = Object.create(Shape.prototype);
Circle.prototype.area = function () { return Math.PI * this.r * this.r; };
check('shape', new Circle(2.5).describe());

var words = 'the quick brown fox jumps over the lazy dog'.split(' ');
check('sort', words.slice().sort(function (a, b) { return a.length - b.length || (a < b ? -1 : 1); }).join(' '));
check('map', words.map(function (w) { return w.charAt(0).toUpperCase() + w.substr(1); }).join(''));
check('reduce', words.reduce(function (n, w) { return n * 31 % 1000003 + w.length; }, 7));
check('regexp', 'a1b22c333'.replace(/([a-z])(\d+)/g, function (all, c, d) { return d + c + ';'; }));
check('exec', /(\w+)@(\w+)\.com/.exec('mail joe@example.com now').slice(1).join(','));

var tree = { a: [1, 2, { b: 'x"y', c: null }], d: -1.5e-7, e: true };
check('json', JSON.stringify(tree));
check('parsed', JSON.stringify(JSON.parse('{"k": [1, 2, {"z": "\\u20ac"}]}')));
check('numbers', [0.1 + 0.2, 1e21, 1 / 3, -0, 5 % -3, 2 * 0.5, 0xff, 1e-7, 123456789012345680000].join(' '));
check('bits', [1 << 31, -1 >>> 0, -1 >> 3, 5 & 6, 5 | 8, 5 ^ 1, ~7].join(' '));
check('parse', [parseInt('12px', 10), parseFloat('3.14abc'), Number('0x1f'), Number(''), isNaN('x')].join(' '));
check('fixed', (1234.5678).toFixed(2) + ' ' + (0.000001234).toExponential(2) + ' ' + (255).toString(16));

try { null.x; } catch (e) { check('error', e instanceof TypeError); }
try { throw { code: 42 }; } catch (e) { check('thrown', e.code); } finally { check('finally', 'yes'); }

var sieve = [], primes = 0;
for (var i = 2; i < 30000; i++) {
    if (sieve[i]) continue;
    primes++;
    for (var k = i * i; k < 30000; k += i) sieve[k] = true;
}
check('primes', primes);

var counter = (function () { var n = 0; return { up: function () { return ++n; } }; })();
counter.up(), counter.up();
check('closure', counter.up());
check('getter', ({ get x() { return 7; } }).x);
check('date', new Date(0).toISOString());
check('matrix', (function () {
    var n = 20, a = [], sum = 0;
    for (var i = 0; i < n; i++) { a[i] = []; for (var k = 0; k < n; k++) a[i][k] = (i * 3 + k * 7) % 11 / 4; }
    for (i = 0; i < n; i++) for (k = 0; k < n; k++) for (var m = 0; m < n; m++) sum += a[i][m] * a[m][k];
    return sum;
})());
var text = '';
for (i = 0; i < 2000; i++) text += String.fromCharCode(97 + i % 26);
var hash = 0;
for (i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) | 0;
check('hash', hash);
label: for (i = 0; i < 10; i++) for (k = 0; k < 10; k++) { if (i * k === 42) break label; }
check('label', i + ' ' + k);
check('eval', eval('var z = 6; z * 7'));
