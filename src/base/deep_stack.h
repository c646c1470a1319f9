// A large stack for recursion that is as deep as the user's program is nested.
//
// The parser and lowering call themselves for nested constructs. The user's program decides how
// deep the recursion goes. So the front end runs on a stack of its own and measures how much of the
// stack is left: a program that is nested too deeply gets an error instead of a crash. Only the
// used part of the stack costs memory.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Calls run(context) on a large stack, or on the present one if there is no room for another.
void stack_run(void (*run)(void *context), void *context);

// The lowest address that a user of so many sixteenths of the present stack may reach.
uintptr_t stack_floor(unsigned sixteenths);

// How many bytes of the present stack are left.
size_t stack_room(void);

static inline bool stack_is_low(uintptr_t floor) {
    return (uintptr_t)__builtin_frame_address(0) < floor;
}
