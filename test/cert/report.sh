#!/bin/sh
# gatecheck --report: JSON that a parser reads, HTML whose tags match, both with all that is to be in them, whatever the names
# are, and the list of trusted files as the tree has it.
set -eu
cd "$TMPDIR"
cat >'f<b>&"x.c' <<'END'
int odd(void) __asm__("<script>alert('1')</script>&amp;");
void stop(void) __attribute__((noreturn));
static int twice(int n) { return 2 * n; }
int f(int n) {
    if (n < 0) stop();
    __asm__("nop # </td><script>" : : : "rbx");
    return twice(n) + odd();
}
END
gatecc -O2 -c --certificate=f.gcert -o f.o 'f<b>&"x.c'
gatecheck f.gcert --object f.o >lines
gatecheck --report=json f.gcert --object f.o >f.json
gatecheck --report=html f.gcert --object f.o -o f.html | cmp - lines
gatecheck --report=json f.gcert --object f.o -o again.json | cmp - lines
cmp f.json again.json
tail -n +2 "$BUILT/trusted.c" >list
cat >look.py <<'END'
import html.parser, json, re, sys

report = json.load(open("f.json"))
lines = open("lines").read().splitlines()
assert report["valid"] is True and report["claim"] == lines
[certificate] = report["certificates"]
assert certificate["file"] == "f.gcert" and certificate["source"] == 'f<b>&\\"x.c', certificate["source"]
assert certificate["options"] == "-O2" and certificate["compiler"].startswith("gatecc ")
digests = dict(line.split()[:2] for line in open("f.gcert", encoding="latin-1") if re.match("(source|object|hash) ", line))
for key, name in ("source", "source"), ("object", "object"), ("hash", "certificate"):
    assert certificate["digests"][name] == digests[key]
functions = {row["name"]: row for row in certificate["functions"]}
assert functions["twice"]["ending"] == "none" and functions["f"]["ending"] == "code"
steps = functions["f"]["steps"]
assert steps[-1].startswith("allocate: ") and steps[-1].endswith(" instructions") and len(steps) == certificate["steps"]
assumed = {row["kind"]: row["names"] for row in certificate["assumed"]}
assert assumed["noreturn"] == ["stop"] and len(assumed["external function"]) == 2
odd = [name for name in assumed["external function"] if name != "stop"][0]
assert odd == "<script>alert('1')</script>&amp;", odd
assert "</td><script>" in assumed["asm statement"][0] and "rbx" in assumed["asm statement"][0]
target = report["object"]
assert target["file"] == "f.o" and target["covered"] == 1 and target["not covered"] == 0
assert target["functions"] == [{"name": "f", "covered": True, "certificate": "f.gcert"}]
files = report["trusted"]["files"]
assert [row["file"] for row in files] == re.findall(r'"(src/[^"]*)"', open("list").read())
assert sum(row["lines of code"] for row in files) == report["trusted"]["lines of code"] > 1000
for row in files:
    assert row["lines"] == len(open(sys.argv[1] + "/" + row["file"], "rb").readlines()), row

# Tags match, nothing in the text is taken for a tag, and all texts of the JSON are there.
class Reader(html.parser.HTMLParser):
    open, text, tags = [], "", set()
    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        if tag not in ("meta", "br"):
            self.open.append(tag)
    def handle_endtag(self, tag):
        assert self.open.pop() == tag
    def handle_data(self, data):
        self.text += data

page = open("f.html", encoding="ascii").read()
reader = Reader()
reader.feed(page)
reader.close()
assert page.startswith("<!DOCTYPE html>\n") and not reader.open
assert reader.tags <= set("html head meta title style body h1 h2 h3 h4 h5 dl dt dd br table thead tbody tr th td".split()), reader.tags
for text in lines + [digests["hash"], digests["object"], odd, "src/check/replay/replay.c", assumed["asm statement"][0]]:
    assert text in reader.text, text
END
python3 look.py "$ROOT"

# What is not valid has no report, and what cannot be written is told.
sed 's/^step normalize/step tidy/' f.gcert >wrong.gcert
! gatecheck --report=json wrong.gcert -o none.json >/dev/null 2>&1 && [ ! -e none.json ]
status=0
gatecheck --report=json f.gcert -o missing/f.json >out 2>&1 || status=$?
[ $status = 2 ] && grep -q "cannot write 'missing/f.json'" out
