#!/bin/sh
# The Python binding: its unit tests, the notebook, and that pip can install it from the tree.
set -eu
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$ROOT/python LIBGATE=$BUILT/lib/libgate.so.1
export PYTHONDONTWRITEBYTECODE PYTHONPATH LIBGATE
python3 "$ROOT/python/tests/test_gate.py" -q 2>unit || { cat unit; exit 1; }
grep -q '^Ran [2-9][0-9] tests' unit
# What the notebook shows is what it prints now.
python3 "$ROOT/tools/notebook" "$ROOT/examples/python/gates.ipynb"
# Another notebook would be told from it.
sed 's/x_1   when/x_9   when/' "$ROOT/examples/python/gates.ipynb" >other.ipynb
if (cd "$ROOT" && python3 tools/notebook "$OLDPWD/other.ipynb" >"$OLDPWD/errors"); then echo 'a changed notebook passes'; exit 1; fi
# A library that is not there, or is not ours, is said.
if LIBGATE=/nonexistent.so python3 -c 'import gate' 2>errors; then exit 1; fi
grep -q 'ImportError: libgate.so.1 is not found (set LIBGATE to its path): /nonexistent.so' errors
if LIBGATE=libm.so.6 python3 -c 'import gate' 2>errors; then exit 1; fi
grep -q 'undefined symbol: gate_version' errors
# Installed by pip into a folder of its own.
if python3 -c 'import pip, setuptools, wheel' 2>/dev/null; then
    cp -R "$ROOT/python" source
    python3 -m pip install -q --no-index --no-build-isolation --no-deps --target there ./source 2>errors || { cat errors; exit 1; }
    (cd / && PYTHONPATH="$OLDPWD/there" python3 -c 'import gate; print(gate.__file__, gate.__version__)') | grep -q /there/gate/
    [ -f there/gate/py.typed ]
else
    echo 'pip, setuptools or wheel is not installed: installation not tried'
fi
