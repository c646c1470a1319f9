#!/bin/sh
# gcc's own programs to run, of gcc.dg and c-c++-common: none behaves differently, none makes gatecc crash or has a pass undone, each
# that is not right is listed with its reason in test/torture/out-of-scope-dg.txt, and 97 in a hundred are right.
"$ROOT/tools/gcc-dg" >report || { cat report; exit 1; }
"$ROOT/tools/at-least" 97 1850 <report
