// Room for recursion that is as deep as programs are nested.
//
// The parser and lowering call themselves for what stands inside of something else. How deep that
// goes is up to the program, so the front end runs on a stack of its own, of which only what is
// used costs memory, and measures how much of it is left: a program that is nested too deeply gets
// an error.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Calls run(context) on a large stack, or on the present one if there is no room for another.
void stack_run(void (*run)(void *context), void *context);

// The address below which those must not get who may use so many sixteenths of the present stack.
uintptr_t stack_floor(unsigned sixteenths);

// How many bytes of the present stack are left.
size_t stack_room(void);

static inline bool stack_is_low(uintptr_t floor) {
    return (uintptr_t)__builtin_frame_address(0) < floor;
}
