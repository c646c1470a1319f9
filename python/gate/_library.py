"""The C library: where it is found, and its declarations (include/gate.h) for ctypes."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from ctypes import POINTER, Structure, c_bool, c_char_p, c_int, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Iterator

from ._version import API

NONE = 0xFFFFFFFF


class CVersion(Structure):
    _fields_ = [("number", c_uint32 * 3), ("api", c_uint32), ("text", c_char_p)]


class CRun(Structure):
    _fields_ = [
        ("end", c_int),
        ("status", c_int),
        ("steps", c_uint64),
        ("output", c_void_p),
        ("output_length", c_size_t),
        ("reason", c_char_p),
    ]


class CStep(Structure):
    _fields_ = [
        ("pass_", c_char_p),
        ("meaning", c_char_p),
        ("run", c_uint32),
        ("from_", c_int),
        ("to", c_int),
        ("level", c_uint32),
        ("reason", c_char_p),
    ]


class CRegister(Structure):
    _fields_ = [("name", c_char_p), ("number", c_uint32), ("version", c_int32), ("type", c_int)]


class CNode(Structure):
    _fields_ = [
        ("kind", c_int),
        ("op", c_char_p),
        ("name", c_char_p),
        ("dest", c_uint32),
        ("argument_count", c_uint32),
        ("arguments", POINTER(c_uint32)),
        ("has_immediate", c_bool),
        ("immediate", c_int64),
        ("successor_count", c_uint32),
        ("successors", POINTER(c_uint32)),
        ("cases", POINTER(c_int64)),
        ("file", c_char_p),
        ("line", c_uint32),
        ("column", c_uint32),
    ]


class CMerge(Structure):
    _fields_ = [("kind", c_int), ("dest", c_uint32), ("argument_count", c_uint32)]


class CArgument(Structure):
    _fields_ = [("reg", c_uint32), ("predecessor", c_uint32), ("predicate", c_uint32)]


class CPredicate(Structure):
    _fields_ = [
        ("kind", c_int),
        ("first", c_uint32),
        ("second", c_uint32),
        ("negated", c_bool),
        ("op", c_char_p),
        ("argument_count", c_uint32),
        ("arguments", c_uint32 * 2),
        ("has_immediate", c_bool),
        ("immediate", c_int64),
        ("is_default", c_bool),
        ("value", c_int64),
        ("cases", POINTER(c_int64)),
        ("case_count", c_uint32),
    ]


class CLoop(Structure):
    _fields_ = [("header", c_uint32), ("leaves", c_uint32), ("goes_on", c_uint32)]


class CEnd(Structure):
    _fields_ = [("node", c_uint32), ("predicate", c_uint32)]


class CBlock(Structure):
    _fields_ = [
        ("first", c_uint32),
        ("count", c_uint32),
        ("successor_count", c_uint32),
        ("successors", POINTER(c_uint32)),
    ]


_P = c_void_p
_WORDS = POINTER(c_char_p)

# name: result, arguments
FUNCTIONS = {
    "gate_version": (CVersion, []),
    "gate_form_name": (c_char_p, [c_int]),
    "gate_open_c": (_P, [c_char_p, _WORDS, c_size_t]),
    "gate_open_c_text": (_P, [c_char_p, c_char_p, c_size_t, _WORDS, c_size_t]),
    "gate_open_text": (_P, [c_int, c_char_p, c_char_p, c_size_t]),
    "gate_close": (None, [_P]),
    "gate_limit_memory": (None, [c_size_t]),
    "gate_memory_used": (c_size_t, [_P]),
    "gate_out_of_memory": (c_bool, [_P]),
    "gate_good": (c_bool, [_P]),
    "gate_messages": (c_char_p, [_P]),
    "gate_convert": (c_bool, [_P, c_int, c_bool]),
    "gate_step_count": (c_uint32, []),
    "gate_step": (c_bool, [c_uint32, POINTER(CStep)]),
    "gate_convert_until": (c_bool, [_P, c_char_p, c_uint32]),
    "gate_run_pass": (c_bool, [_P, c_char_p, POINTER(c_uint32)]),
    "gate_verify": (c_bool, [_P]),
    "gate_text": (c_char_p, [_P]),
    "gate_run_main": (c_bool, [_P, _WORDS, c_size_t, c_uint64, POINTER(CRun)]),
    "gate_certify": (_P, [_P, c_char_p, POINTER(c_size_t)]),
    "gate_function_count": (c_uint32, [_P]),
    "gate_function_named": (c_uint32, [_P, c_char_p]),
    "gate_function_name": (c_char_p, [_P, c_uint32]),
    "gate_function_form": (c_int, [_P, c_uint32]),
    "gate_node_count": (c_uint32, [_P, c_uint32]),
    "gate_register_count": (c_uint32, [_P, c_uint32]),
    "gate_parameter_count": (c_uint32, [_P, c_uint32]),
    "gate_parameter": (c_uint32, [_P, c_uint32, c_uint32]),
    "gate_register": (c_bool, [_P, c_uint32, c_uint32, POINTER(CRegister)]),
    "gate_node": (c_bool, [_P, c_uint32, c_uint32, POINTER(CNode)]),
    "gate_merge_count": (c_uint32, [_P, c_uint32, c_uint32]),
    "gate_merge": (c_bool, [_P, c_uint32, c_uint32, c_uint32, POINTER(CMerge)]),
    "gate_argument": (c_bool, [_P, c_uint32, c_uint32, c_uint32, c_uint32, POINTER(CArgument)]),
    "gate_predicate_count": (c_uint32, [_P, c_uint32]),
    "gate_predicate": (c_bool, [_P, c_uint32, c_uint32, POINTER(CPredicate)]),
    "gate_loop_count": (c_uint32, [_P, c_uint32]),
    "gate_loop": (c_bool, [_P, c_uint32, c_uint32, POINTER(CLoop)]),
    "gate_end_count": (c_uint32, [_P, c_uint32]),
    "gate_end": (c_bool, [_P, c_uint32, c_uint32, POINTER(CEnd)]),
    "gate_site_text": (c_char_p, [_P, c_uint32, c_uint32]),
    "gate_is_allocated": (c_bool, [_P, c_uint32]),
    "gate_block_count": (c_uint32, [_P, c_uint32]),
    "gate_block": (c_bool, [_P, c_uint32, c_uint32, POINTER(CBlock)]),
    "gate_assembly": (c_char_p, [_P, POINTER(c_size_t)]),
    "gate_function_assembly": (c_char_p, [_P, c_uint32, POINTER(c_size_t)]),
}


def candidates() -> Iterator[str]:
    """Where the library may be: LIBGATE, the tree that this file is in, then where the system looks."""
    named = os.environ.get("LIBGATE")
    if named:
        yield named
        return
    tree = Path(__file__).resolve().parents[2] / "build" / "lib" / "libgate.so.1"
    if tree.exists():
        yield str(tree)
    yield "libgate.so.1"
    found = ctypes.util.find_library("gate")
    if found:
        yield found
    yield "/usr/local/lib/libgate.so.1"


def load() -> ctypes.CDLL:
    """The library, declared. ImportError, with the reason of each attempt, if there is none that fits."""
    reasons = []
    for path in candidates():
        try:
            library = ctypes.CDLL(path)
            for name, (result, arguments) in FUNCTIONS.items():
                function = getattr(library, name)
                function.restype = result
                function.argtypes = arguments
        except (OSError, AttributeError) as reason:
            reasons.append(str(reason))
            continue
        if library.gate_version().api < API:
            reasons.append(f"{path}: version {library.gate_version().api} of the API, {API} is needed")
            continue
        return library
    raise ImportError("libgate.so.1 is not found (set LIBGATE to its path): " + "; ".join(reasons))


lib = load()
