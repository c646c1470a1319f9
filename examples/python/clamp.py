"""The conditions under which clamp returns each of its values."""

import gate

SOURCE = """
int clamp(int x, int low, int high) {
    if (x < low) x = low;
    else if (x > high) x = high;
    return x;
}
"""

with gate.compile(SOURCE, name="clamp.c") as program:
    program.convert(gate.Form.GSA)
    for merge in program["clamp"].merges:
        print(merge)
