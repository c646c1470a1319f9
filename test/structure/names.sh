#!/bin/sh
# One name, one thing. No identifier is a word of C++ (clang-format lays out C as if it were one). No type is defined
# in two files of src, except for those listed here. No file has a function of its own by the name of one that files share.
set -eu
cd "$ROOT"
status=0

# Types that several files define, and why. Each of them must still be one.
cat >"$TMPDIR/excepted" <<'END'
Check the state of a checker, one in each: see CONTRIBUTING.md
END

# FILE:LINE:CODE, without comments and without what stands in quotes.
code() {
    awk '
    FNR == 1 { inside = 0 }
    {
        text = $0
        out = ""
        while (text != "") {
            if (inside) {
                end = index(text, "*/")
                if (!end) break
                text = substr(text, end + 2)
                inside = 0
            } else if (match(text, /\/\/|\/\*|"|\047/)) {
                out = out substr(text, 1, RSTART - 1)
                found = substr(text, RSTART, RLENGTH)
                text = substr(text, RSTART)
                if (found == "//") break
                if (found == "/*") {
                    inside = 1
                    text = substr(text, 3)
                } else if (match(text, found == "\"" ? "^\"([^\"\\\\]|\\\\.)*\"" : "^\047([^\047\\\\]|\\\\.)*\047")) {
                    out = out "0"
                    text = substr(text, RLENGTH + 1)
                } else {
                    out = out " "
                    text = substr(text, 2)
                }
            } else {
                out = out text
                text = ""
            }
        }
        print FILENAME ":" FNR ":" out
    }' "$@"
}

words='alignas alignof and and_eq bitand bitor catch class co_await co_return co_yield compl concept const_cast
constexpr decltype delete dynamic_cast explicit export friend mutable namespace new noexcept not not_eq nullptr operator
or or_eq private protected public reinterpret_cast requires static_cast template this throw try typeid typename using
virtual xor xor_eq'
find src include test bench -name '*.[ch]' | sort >"$TMPDIR/files"
[ "$(wc -l <"$TMPDIR/files")" -gt 500 ] || { echo "there are too few files"; status=1; }
code $(cat "$TMPDIR/files") >"$TMPDIR/code"
if grep -wE "^[^:]*:[0-9]*:.*\\b($(echo $words | tr ' ' '|'))\\b" "$TMPDIR/code" | grep -vE ':[0-9]*: *#'; then
    echo "these are words of C++: clang-format takes them for more than names"
    status=1
fi

# NAME FILE for each type that is defined with its members or as another.
grep '^src/' "$TMPDIR/code" | sed 's/:[0-9]*:/ /' >"$TMPDIR/own"
{
    sed -nE 's/^([^ ]*) \} *([A-Za-z]\w*);.*/\2 \1/p' "$TMPDIR/own"
    sed -nE 's/^([^ ]*) .*\b(struct|union|enum) ([A-Za-z]\w*) \{.*/\3 \1/p' "$TMPDIR/own"
    grep -E '^[^ ]* typedef .*\w;' "$TMPDIR/own" | grep -vE 'typedef (struct|union|enum) (\w+) \2;' |
        sed -nE 's/^([^ ]*) .*\b([A-Za-z]\w*);.*/\2 \1/p'
    sed -nE 's/^([^ ]*) typedef [A-Za-z_ *]*\b([A-Za-z]\w*)\(.*/\2 \1/p' "$TMPDIR/own" | grep -v '^VEC '
} | sort -u >"$TMPDIR/types"
[ "$(wc -l <"$TMPDIR/types")" -gt 500 ] || { echo "there are too few types"; status=1; }
cut -d' ' -f1 "$TMPDIR/types" | uniq -d >"$TMPDIR/twice"
cut -d' ' -f1 "$TMPDIR/excepted" | sort >"$TMPDIR/listed"
for name in $(comm -23 "$TMPDIR/twice" "$TMPDIR/listed"); do
    echo "$name is several types: $(sed -n "s/^$name //p" "$TMPDIR/types" | tr '\n' ' ')"
    status=1
done
for name in $(comm -13 "$TMPDIR/twice" "$TMPDIR/listed"); do
    echo "$name is not several types any more: strike it from the list in $0"
    status=1
done

# HOW NAME FILE for each function that is defined; HOW is static or shared. Those of headers are shared.
awk '{
    file = $1
    text = substr($0, length($1) + 2)
    if (text ~ /^[A-Za-z][A-Za-z0-9_ *]*\(/ && text !~ /^(typedef|return|else)/) {
        head = text
        sub(/\(.*/, "", head)
    }
    if (head && match(text, /[;{]/)) {
        if (substr(text, RSTART, 1) == "{") {
            how = head ~ /^static / && file !~ /\.h$/ ? "static" : "shared"
            sub(/.*[ *]/, "", head)
            print how, head, file
        }
        head = ""
    }
}' "$TMPDIR/own" | sort -u >"$TMPDIR/functions"
[ "$(wc -l <"$TMPDIR/functions")" -gt 5000 ] || { echo "there are too few functions"; status=1; }
awk '$1 == "shared" && $2 != "main" { print $2, $3 }' "$TMPDIR/functions" | sort >"$TMPDIR/shared"
awk '$1 == "static" { print $2, $3 }' "$TMPDIR/functions" | sort >"$TMPDIR/static"
join "$TMPDIR/shared" "$TMPDIR/static" >"$TMPDIR/common"
if [ -s "$TMPDIR/common" ]; then
    echo "a function that files share, and one of a file's own, by one name:"
    cat "$TMPDIR/common"
    status=1
fi
exit $status
