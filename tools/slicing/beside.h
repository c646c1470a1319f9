// Runs slices beside their originals inside of a real program; see beside.c. The wrapper of a function F, with the same
// head as F, is (NUMBER is F's number; for a void function there is no result):
//
//   BESIDE(NUMBER, F__original, F__slice, (arguments))
#ifndef SLICING_BESIDE_H
#define SLICING_BESIDE_H

enum { BESIDE_SLICE, BESIDE_ORIGINAL, BESIDE_AGAIN };

int beside_wanted(int number);
int beside_try(int what);
int beside_unsure(void);
void beside_done(const void *result, unsigned long size);
void beside_judge(int number);
void beside_fill(void *stack, unsigned long size);

#define BESIDE_CALL(call)                                                                          \
    {                                                                                              \
        __typeof__(call) beside_result = call;                                                     \
        beside_done(&beside_result, sizeof beside_result);                                         \
    }

// The second run of the original has another stack: what then differs depends on values that nobody set.
#define BESIDE_TRIES(number, run_original, run_slice)                                              \
    if (beside_wanted(number)) {                                                                   \
        if (beside_try(BESIDE_SLICE))                                                              \
            run_slice if (beside_try(BESIDE_ORIGINAL))                                             \
                run_original if (beside_unsure() && beside_try(BESIDE_AGAIN)) {                    \
                beside_fill(__builtin_alloca(3000), 3000);                                         \
                run_original                                                                       \
            }                                                                                      \
        beside_judge(number);                                                                      \
    }

#define BESIDE(number, original, slice, arguments)                                                 \
    {                                                                                              \
        BESIDE_TRIES(number, BESIDE_CALL(original arguments), BESIDE_CALL(slice arguments))        \
        return original arguments;                                                                 \
    }
#define BESIDE_VOID(number, original, slice, arguments)                                            \
    {                                                                                              \
        BESIDE_TRIES(                                                                              \
            number,                                                                                \
            {                                                                                      \
                original arguments;                                                                \
                beside_done(0, 0);                                                                 \
            },                                                                                     \
            {                                                                                      \
                slice arguments;                                                                   \
                beside_done(0, 0);                                                                 \
            })                                                                                     \
        original arguments;                                                                        \
    }

#endif
