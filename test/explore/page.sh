#!/bin/sh
# gate explore writes one page that needs nothing else: its size, its name, its policy, what is said, what is the same each time.
set -eu
cp "$ROOT/examples/gcd.c" .
gate explore --no-times gcd.c 2>messages
grep -q '^gate: gcd.html: [0-9]* kB, [0-9]* kB of them data$' messages
gate explore --no-times gcd.c -o again.html 2>/dev/null
cmp gcd.html again.html
python3 - <<'P'
import base64, hashlib, json, re
page = open("gcd.html", encoding="utf-8").read()
data = re.search(r'<script type="application/json" id="gate-data">(.*?)</script>', page, re.S)[1]
size = len(page.encode()) - len(data.encode())
assert 1000 < size <= 400000, f"the page without its data has {size} bytes"
assert json.loads(data)["file"] == "gcd.c" and "<" not in data
policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1]
for what, part in (("script-src", r'<script type="module">(.*?)</script>'), ("style-src", r"<style>(.*?)</style>")):
    text = re.search(part, page, re.S)[1]
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    assert f"{what} 'sha256-{digest}'" in policy, what
assert "default-src 'none'" in policy and "unsafe" not in policy
# Nothing is fetched: no address but those of SVG's and others' names.
found = set(re.findall(r'(?:src|href)="?(?!#)[^"> ]+', page.replace(data, "")))
assert not found, found
for word in ("innerHTML", "eval(", "document.write", "import("):
    assert word not in page.replace(data, ""), word
P

# Text that would end the page, and bytes that are no UTF-8.
printf 'const char *s = "</script><!-- \\\\ \303\244";\n// \377 \303\nint f(int a) { return a; }\n' >odd.c
gate explore --data odd.c >odd.json
python3 - <<'P'
import json
text = [file["text"] for file in json.load(open("odd.json", encoding="utf-8"))["files"] if file["name"] == "odd.c"][0]
assert text.startswith('const char *s = "</script><!-- \\\\ \u00e4";\n// \ufffd \ufffd\nint f'), text
assert "</" not in open("odd.json").read()
P

# Two pipelines, chosen functions, other forms.
gate explore --data --no-run --versus='-O0 --off=schedule' --function=gcd gcd.c >two.json
python3 - <<'P'
import json
data = json.load(open("two.json"))
assert [p["label"] for p in data["pipelines"]] == ["-O1", "-O0 --off=schedule"], [p["label"] for p in data["pipelines"]]
for pipeline in data["pipelines"]:
    assert [f["name"] for f in pipeline["functions"]] == ["gcd"]
lines = open("gcd.c").read().splitlines()
function = data["pipelines"][0]["functions"][0]
assert lines[function["line"] - 1].startswith("int gcd(") and lines[function["endLine"]].startswith("}"), function["line"]
assert "run" not in data
P
gate show ssa gcd.c >gcd.ssa
gate explore --data gcd.ssa >ssa.json
grep -q '"form":"ssa","step":-1' ssa.json

# A file without functions is shown as it is, and that there are none is said.
printf 'typedef int number;\nint f(number);\n' >none.c
gate explore --data none.c >none.json 2>messages
grep -q '^gate: there are no functions in none.c$' messages
grep -q '"name":"none.c","text":"typedef int number;' none.json

# What goes wrong is said, and nothing is written then.
fails() { # STATUS MESSAGE OPTIONS...
    wanted=$1 message=$2 status=0
    shift 2
    gate explore "$@" >output 2>messages || status=$?
    [ $status = "$wanted" ] && grep -q "$message" messages && ! [ -s output ] || {
        echo "gate explore $*: status $status"
        cat messages
        exit 1
    }
}
rm -f gcd.html
fails 2 "there is no function 'nobody'" --function=nobody gcd.c
fails 2 'cannot read nothing.c' nothing.c
fails 2 'needs a file'
fails 2 "unknown option '--nonsense'" --nonsense gcd.c
fails 2 "there is no pass 'nonsense'" --versus=--off=nonsense gcd.c
fails 2 "'-o' is none" '--versus=-O2 -o other.html' gcd.c
fails 2 "there is no function ''" --function= gcd.c
fails 2 '--port is for --serve' --port=8000 gcd.c
fails 2 '--serve and --data' --serve --data gcd.c
fails 2 'cannot write no/folder.html' -o no/folder.html gcd.c
echo 'int f( {' >wrong.c
fails 1 'wrong.c:1:8: error' wrong.c
! [ -e gcd.html ] && ! [ -e wrong.html ]
