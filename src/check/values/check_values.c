// The values kernel: it compares an SSA function with the result of a pass, or with the end of an
// excursion that started there, whatever happened in between. Values may have changed, and
// operators and loads moved; effects stay, in their order.
//
// The argument:
//
// 1. Values. A value of the hint (hints_values.h) stands for something at every moment of a run of
//    `before`. OLD is the contents of a register, undefined before the register is set. OP is the
//    result of the operator for its arguments; where the operator would go wrong, something
//    undefined. For each PHI and LOAD think of a register of its own, which is added to `before`
//    without changing the behaviour. The register of a PHI is set on entering its join, together
//    with the phis there, to its argument for the way in, with the argument's value at that time;
//    NO_ID is undefined. CALL is what the first form of a pure function (unit_memory.h) returns for
//    its arguments; where that goes wrong, something undefined. The function reads no memory that
//    anybody writes, no result depends on the place of its slots, and it comes to its end, so a
//    call is a function of its arguments, and monotone as all steps of a run are. The register of a
//    LOAD is set in front of its node, behind the phis, to the result that the load would have if
//    its address were the values of the address's registers (value_of); where the load would be
//    wrong, to an undefined chunk, extended. The loads of one node are done in the order of their
//    numbers; loads among the values of the address have smaller numbers. Write x => v if v refines
//    x: both agree in every bit that x defines. Operators are monotone in this order, also with
//    this rule for operators that would go wrong.
//
// 2. Steps (value_steps.c, values.c). A value is known at its base (3) and at each point that the
//    base dominates. If a step leads from v to w, then v => w wherever v is known: rows of
//    rules.def hold for all values, and extending the extended result of a load again is no change;
//    10 has counted steps. And w is known wherever v is known: the base of w is the base of v or
//    dominates it. So all steps of a chain hold wherever its first value is known: v => root(v)
//    there. Elsewhere, no claim is about v.
//
// 3. Points. A node has points: the phis (and PHIs) are set, the LOADs are done, the prelude (the
//    instructions that `after` has in front of the node) is executed, the instruction is executed.
//    Everything is set at one point: a register of `before`, a PHI, a LOAD, and, see 7, a register
//    of `after`. Points dominate each other as their nodes do, and within a node in this order. The
//    graph here is the graph of `before` without the ways that branches never take (2 and 6 in
//    values.c: ways, open_graph). The base of a value is the lowest point that sets something that
//    the value mentions; there is no base if these points do not lie on one path of the dominator
//    tree.
//
//    Lemma. Let something be set at point d, and the base of v be d or dominate d. From each
//    execution of d on until control comes to a point p that d dominates, without executing d
//    again, v keeps its meaning. For suppose that something that v mentions is set in between, at
//    s. s dominates d and is not d. Take a path from the entry to its first visit of s; d is not on
//    this path, as s is on every path to d. Go on from there as the run did from s to p: this gives
//    a path to p without d, although d dominates p, a contradiction.
//    A call that returns again finds all registers as at the call (calls.h), the registers of PHIs
//    and LOADs included.
//
// 4. Claims (value_claims.c). Wherever the definition of a register x dominates, x => value_of[x].
//    By induction on time, all claims at once, together with 5 and 6. The base of value_of[x] is
//    the point that sets x or above it, so by the lemma it is enough to look at the step that sets
//    x:
//    - An operator: formed[x] is the same operator on values that refine its arguments, which are
//      set. formed[x] is known here (2); its root, or formed[x] itself, is the value. If the
//      operator goes wrong, anything may follow.
//    - A call: the same CALL on values that refine its arguments.
//    - A move: a value that refines its argument.
//    - A phi: the PHI of the same join whose argument for each remaining way in refines the phi's
//      argument. Or one value v that refines all these arguments and whose base is strictly above
//      the join, so that entering the join does not change v.
//      At the end of a way in, more may be known of v, if the hint names an edge of a COND that was
//      passed before (`gated`): its target has no other way in and dominates the end of the way.
//      The condition was defined, and equal to the value in `tests`, which is still the same, and
//      to its root (6). So a select by this value is its argument for this outcome.
//      And v may be the PHI of another join J, strictly above. When J was entered last, by some way
//      j, a condition had an outcome there, too, if the hint names an edge for j. If this condition
//      is the same value, known strictly above J, it has not changed since, so the outcomes agree.
//      So v is one of its arguments for ways with this outcome, which are known strictly above J
//      and have not changed either: it is enough that each of these refines the phi's argument.
//      Or v is a sum (value_sums.h) of other PHIs of the join, of triangles of such PHIs, and of
//      values whose base is strictly above the join. When control comes by a way in, the PHIs are
//      set to their arguments of this moment, and the other parts of v do not change. So the sum
//      with the arguments in the place of the PHIs must refine the value of the phi's argument.
//      Example: a loop adds three to one phi and one to another; the claim is that the first is
//      three times the second. Another: a loop adds the second to the first; then the first is the
//      triangle of the second. The range of a part (8) says that the part is defined only if the
//      part is known at the end of the way: an argument of a PHI may mention a register that has
//      not been set.
//    - A register that nothing sets is undefined, and anything refines it.
//    - A load: see 5.
//    - All others are claimed to be themselves.
//    An undefined argument makes all this directed: if v refines x and y, neither x nor y need
//    refine the other.
//
// 5. Memory (value_memory.c). A fact (p, v) says: if an access to place p is no wrong step now, the
//    low bytes of v refine the contents of p: the bytes as loads by the effective type of p read
//    them (places.h). Facts about the plain place hold for each type. Places are named by values
//    (places.h): the registers of an address, when an access by them goes right, are defined, and
//    so equal to the values that refine them. Facts begin at
//    - a store to p of x, with value_of[x]; also for the plain place of p;
//    - a load from p to x, with value_of[x], if there is no fact of p yet;
//    - a LOAD in front of a node, with the LOAD itself, if there is none: it reads the contents. If
//      the LOAD would be wrong and an access is right later, the place has come to life in between.
//      Calls end all facts of such places, and the fresh bytes of an alloca are undefined;
//    - a join, as the hint says, if on each remaining way in there is the fact (p, a). Here a is
//      the argument of v for this way if v is a PHI of the join; else a is v, with its base
//      strictly above the join.
//    A fact ends when something may touch its place (contents.h). While a fact is there, nothing
//    that it mentions, in v or in the address, is set. Suppose that d sets such a thing, and the
//    fact is there when control arrives at d; facts do not depend on the run, so the fact is there
//    at the first arrival, too. Then the fact began on the way there: at an access, or at a LOAD,
//    by registers and values set before; or at a join, with a PHI of that join, which is set there.
//    So d has been executed before. A load of x whose value is only itself may take the place of a
//    fact: its bytes are the contents of p. A load of x from p with the fact (p, v) yields x => v
//    if its chunk fills the register, else x => the extension of v; this is formed[x], and its
//    root, or formed[x] itself, is value_of[x].
//    A constant object keeps the bytes of its initial value (initial_data.h): a load of such bytes
//    yields them, whatever facts there are, as if there were the fact (p, v) with the number or the
//    address v.
//    Claims and ways, which hold so far, decide whether a slot is private (places.h): so far, only
//    nodes that can be reached by the ways that remain were executed, so an address got out of
//    sight at such a node, or not at all. An address that gets out of sight later does no harm yet.
//
// 6. Ways (values.c, value_claims.c). The condition of a branch that goes right is defined, so it
//    equals the value in `tests` that refines it and is known there, and its root. If this value
//    is a constant, there is one way. If the hint decides a branch, the edges that the hint names
//    were passed: the target of each has no other way in and dominates the branch; a check
//    dominates the branch strictly. The outcomes held on values that are still the same by the
//    lemma (everything that they mention is set above the edge's branch). From these outcomes the
//    outcome of the branch follows (comparison.c). So runs keep to the ways that remain. A branch
//    without a decided way (way NO_ID) claims nothing.
//
// 7. `after` follows (below). Unreachable nodes of `after` do not count. Each other node performs
//    an old node, or is in the prelude of the next node that does. Control goes the same way as in
//    `before`. An old node that no new node performs is a nop, or can be left out, or is a branch
//    or check with one way left; there is no cycle of such nodes. (Performed nodes do not read what
//    such a node sets, as `after` has registers of its own.) So a run of `before` is a run of
//    `after` and vice versa, node by node, and points of one are points of the other. For each
//    register y of `after`, value_of_new[y] => y wherever the definition of y dominates. The base
//    of value_of_new[y] is where y is set or above; by the lemma, it is enough to look at the step
//    that sets y:
//    - A parameter is itself. A register that nothing sets has no value.
//    - An operator is the OP of the values of its arguments. In a prelude, the operator is total.
//    - A load in a prelude is the LOAD there: what `after` reads of memory refines memory of
//      `before`, and y is read from the address of the LOAD, unless the address is undefined. It
//      does no harm: see may_load.
//    - A phi is a PHI of the join, with the values of its arguments; or it is OLD of a phi x of the
//      join, and its arguments refine the arguments of x.
//    - A node that performs an old node that could be left out is a nop, or does something that a
//      prelude might do. Any other node has the same instruction with arguments that refine the old
//      ones (x => v => y). It goes right where the old one does, has the same effect, and sets a
//      refined value: OLD of the register that the old one sets. If the instruction is an operator,
//      the value may also be the OP of its values; if it is a call, the CALL of its values.
//    - Where the old node calls through a pointer whose value is the address of a function, the new
//      node may call this function by name: an old call that goes right has a defined pointer, so
//      the pointer is this address, and both calls reach the same function (calls.h). Signature and
//      other arguments are as above.
//    A condition is the value in `tests`, or its root; or it asks whether this value is not zero.
//    Where `tests` has no value, the condition is the same operator on arguments that refine the
//    old ones. So the condition has the same outcome. A switch goes where the old one goes for each
//    value that the old one may have. Calls, checks, events and returns are performed. The only
//    calls that can be left out are calls of functions of the unit that come to their end, write
//    nothing and are no event (unit_memory.h). Stores are performed, but for the stores to unread
//    objects.
//
//    A slot is *unread* if it is private and no node of `after` reads it. A node of `after` reads
//    at the address of the old node that it performs, or of the LOAD that it is. A call also reads
//    at its arguments for plain parameters that are read (unit_memory.h). Nobody reads a private
//    slot by other addresses: no other node, and no function that is called. A hidden object is
//    unread if no function of the unit reads it; later forms of these functions have no new loads.
//    So memory of `after` refines memory of `before` but for the unread objects, and nobody sees
//    the difference, also when a call returns again. Accesses keep their effective types, so loads
//    by each type read refined bytes. A store, memset or memcpy that writes an unread object, or
//    goes wrong, can be left out.
//
// 8. Ranges (value_ranges.c). Think of a shadow of the run of `before`: the same run with every
//    undefined bit filled in, each time that it comes into being. By monotony the shadow run takes
//    the same way, and each value => its shadow. The range of a value holds its shadow, and the
//    bits that the range calls defined are defined (range.h). One table has all ranges, so all of
//    them speak of one shadow. A value that would go wrong, or that nothing has set, is undefined:
//    its shadow is chosen in its range, which is not empty.
//    - Everywhere: a register or a LOAD has the range of its chunk; an operator the range that
//      follows from its arguments; a PHI the claimed range, if on each remaining way in the
//      argument lies in it. By induction on time, together with 4 to 6: the argument's range held
//      at the end of the way, strictly before. An undefined argument is filled in so that it lies
//      in the range, but none of its bits is defined. A range that is empty at the end of a way
//      says that control does not come this way; in each claim lies some value.
//    - At a place: a fact says that a value, known at the place, has a range whenever control is at
//      a node that the place dominates. By the lemma it is enough to look at the moment when
//      control comes to the place. There the facts that a fact names count: they are earlier in the
//      table, and their places dominate this place. An operator follows from its operands, an
//      operand from the operator's result. The outcome of the branch from which alone control comes
//      is an outcome of the shadow, too, and its operands are defined, as the branch went right.
//      The register of an address by which an access went right is defined, and not null.
//      Behind a division that went right its operands are defined, and the divisor is not zero. At
//      a join a value that is known strictly above has one of the ranges that it had at the ends of
//      the ways in.
//      Where a range is empty control never comes, so there any fact holds, any step, and any
//      outcome. What follows from smaller ranges is thus never a larger range.
//    - Uses: a step by a row with a guard, or to the only constant that a range leaves
//      (value_steps.c). In `steps` a step holds everywhere, and only ranges that hold everywhere
//      count. A branch whose condition has a range without zero, or with zero only, goes one way
//      (6). The value of a switch that goes right is defined, and so it is in its range: `shut` has
//      the ways that the range excludes, which control never goes. The rest are steps at a node:
//
// 9. Steps at a node (value_local.c). A step in `local` holds whenever control is at its node, in
//    front of the instruction: by ranges that count there, or because a branch has found two values
//    to be equal, which by the lemma are still the same. Three questions need no more: the claim
//    about the register that the node's operator sets (4); an argument that the node's instruction
//    reads (7); the argument of a phi for the way in from the node (4). In none of the three does
//    the step have to hold later: a register is set at this moment, or the instruction is executed.
//    A branch finds two values to be equal if it compares them so. Or it finds i + 1 to be no less
//    than n, and i is a PHI that is less than n wherever i is known. Then i + 1 does not overflow,
//    and is n. For i < n, n is a constant or known strictly above the join. For each way into the
//    join, the hint names an edge (`gated`) whose outcome says so of the way's argument; constants
//    need no edge. Entering the join changes i alone, and by the lemma neither i nor n changes
//    before the join is entered again.
//    The branches went right, so i and n are defined. Likewise for i - 1 and other orders of
//    integers.
//
// 10. Counted steps (value_counted.c). Such a step leads from an operator t to a PHI P of a join.
//    t mentions one PHI of the join or several, and otherwise only what is known strictly above the
//    join. So t and P are known at the same points, those that the join dominates, and by the lemma
//    t and P only change when control enters the join. Let control enter by way k, and let u be t
//    with the k-th arguments of the PHIs in their places. u is known at the end of the way, and t
//    is now what u was there. Steps lead from u to the k-th argument of P. At the end of the way,
//    strictly before, all steps held where they were known, by induction on time, together with 4
//    to 8. So t => P.
//    Example: i = phi(0, i + 1) and P = phi(0, P + 1) in 64 bits. From sext(0) a step leads to 0,
//    and from sext(i + 1), as i + 1 fits, to sext(i) + 1, and from there to P + 1. So sext(i) => P.
//    P need be in neither function. If t were known above the join, a chain could go on from P to a
//    value that is known above, too; the chain would hold behind the join only, and count
//    everywhere.
#include "check/checkers.h"

#include "check/values/value_memory.h"
#include "fact/calls.h"
#include "fact/effects.h"
#include "fact/eval.h"

enum { NEXT_UNKNOWN = NO_ID, NEXT_IS_SOUGHT = NO_ID - 1 };

typedef struct {
    Values values;
    Arena *arena;
    const Func *before;
    const Func *after;
    const ValuesHint *hint;
    Preds preds;                   // of `after`
    Dominance reach;               // of `after`: of what cannot be reached there nothing is asked
    const Definition *definitions; // of `after`
    uint32_t *performer;           // old node -> the new one that performs it, or NO_ID
    uint32_t *start;    // old node -> the first new node of its prelude, or the performer
    uint32_t *performs; // new node -> the old one that it or the next performer performs
    uint32_t *next;     // old node -> what is performed next when control is there; NEXT_...
    bool *unread;       // slot -> whether it is unread; NULL if no write is left out
    VEC(Node) path;
} Check;

#define REJECT(check, node, ...) VALUES_REJECT(&(check)->values, node, __VA_ARGS__)

static bool is_reached(const Check *check, Node node) {
    return dominance_reaches(&check->reach, node);
}

static bool is_prelude(const Check *check, Node node) {
    return check->hint->old.at[node.i].i == NO_ID;
}

// ---- Shape

static bool check_outline(Check *check) {
    check->values.verdict = check_same_outline(check->arena, check->before, check->after);
    if (!check->values.verdict.accepted) return false;
    for (uint32_t i = 0; i < check->before->params.count; i++)
        if (check->before->params.at[i].i != check->after->params.at[i].i)
            return REJECT(check, NO_NODE, "parameter %u has changed", i);
    return true;
}

static bool find_performers(Check *check) {
    const Func *after = check->after;
    uint32_t nodes = after->nodes.count, first = 0;
    if (check->hint->old.count != nodes)
        return REJECT(check, NO_NODE, "the hint does not cover every node");
    for (uint32_t n = 0; n < nodes; n++) {
        Node node = {n}, old = check->hint->old.at[n];
        if (!is_reached(check, node)) {
            check->performs[n] = NO_ID;
            first = n + 1;
            continue;
        }
        if (is_prelude(check, node)) {
            const Instr *instr = func_at(after, node);
            if (n + 1 == nodes || instr->succ_count != 1 || instr->succ[0].i != n + 1)
                return REJECT(check, node, "it does not lead to the next node");
            continue;
        }
        if (old.i >= check->before->nodes.count || !values_reach(&check->values, old))
            return REJECT(check, node, "it performs no node that is executed");
        if (check->performer[old.i] != NO_ID)
            return REJECT(check, node, "old node %u is performed twice", old.i);
        check->performer[old.i] = n;
        check->start[old.i] = first;
        for (; first <= n; first++) check->performs[first] = old.i;
    }
    return true;
}

// The bytes that an old node accesses: by its address, or by the address in its k-th argument.
static MemBytes accessed_bytes(const Check *check, const Instr *instr, uint32_t k) {
    const Places *places = check->values.places;
    return instr_has_address(instr)
               ? places_moved(places, check->before, instr)
               : places_behind(places, check->before, instr->arg[k], (uint64_t)instr->imm);
}

// Whether an old node only writes to memory.
static bool is_write(const Instr *instr) {
    return instr_is_quiet(instr) && instr_effects(instr) & MAY_WRITE;
}

static bool writes_unread(const Check *check, const Instr *instr) {
    if (!check->values.places || !is_write(instr)) return false;
    MemBytes bytes = accessed_bytes(check, instr, 0);
    if (bytes.base == BASE_SYMBOL) return unit_is_unread(check->before->program, (Sym){bytes.ref});
    return bytes.base == BASE_SLOT && check->unread && check->unread[bytes.ref];
}

// Whether control goes on from an old node one way only, and nothing is lost if its instruction is
// left out.
static bool is_needless(const Check *check, Node old) {
    const Instr *instr = func_at(check->before, old);
    if (check->values.way[old.i] != NO_ID) return true;
    return instr->succ_count == 1 &&
           (instr->kind == I_NOP || instr_is_removable(instr) || writes_unread(check, instr) ||
            unit_call_is_removable(check->before->program, instr));
}

// Where control goes from an old node that is not performed.
static bool skip(Check *check, Node old, Node *to) {
    const Instr *instr = func_at(check->before, old);
    uint32_t way = check->values.way[old.i];
    if (values_is_join(&check->values, old))
        return REJECT(check, NO_NODE, "old node %u is a join and not performed", old.i);
    if (!is_needless(check, old))
        return REJECT(check, NO_NODE, "old node %u is not performed", old.i);
    *to = instr_succs(check->before, instr)[way == NO_ID ? 0 : way];
    return true;
}

// The old node that is performed next when control is at one.
static bool find_next(Check *check, Node old, Node *result) {
    vec_clear(&check->path);
    while (check->next[old.i] == NEXT_UNKNOWN) {
        if (check->performer[old.i] != NO_ID) {
            check->next[old.i] = old.i;
            break;
        }
        check->next[old.i] = NEXT_IS_SOUGHT;
        vec_push(check->arena, &check->path, old);
        if (!skip(check, old, &old)) return false;
    }
    if (check->next[old.i] == NEXT_IS_SOUGHT)
        return REJECT(check, NO_NODE, "old node %u leads back to itself and is not performed",
                      old.i);
    *result = (Node){check->next[old.i]};
    for (uint32_t i = 0; i < check->path.count; i++) check->next[check->path.at[i].i] = result->i;
    return true;
}

// Whether a way of `after` leads to where a way of `before` does.
static bool leads_alike(Check *check, Node old, uint32_t way, Node node, uint32_t k) {
    const Instr *then = func_at(check->before, old), *now = func_at(check->after, node);
    Node next;
    if (!find_next(check, instr_succs(check->before, then)[way], &next)) return false;
    return instr_succs(check->after, now)[k].i == check->start[next.i] ||
           REJECT(check, node, "successor %u leads elsewhere", k);
}

// A switch goes the right way for each value that may come: `after` may leave out cases. Ways that
// are shut do not count, so that another way may be the default.
static bool check_ways_of_switch(Check *check, Node node, Node old) {
    const Instr *then = func_at(check->before, old), *now = func_at(check->after, node);
    const int64_t *was = instr_cases(check->before, then), *is = instr_cases(check->after, now);
    uint32_t k = 1; // the next way of `after`
    for (uint32_t way = 1; way < then->succ_count; way++) {
        bool kept = k < now->succ_count && is[k - 1] == was[way - 1];
        if (values_goes(&check->values, old, way) &&
            !leads_alike(check, old, way, node, kept ? k : 0))
            return false;
        k += kept;
    }
    if (k < now->succ_count) return REJECT(check, node, "the switch has more cases");
    return !values_goes(&check->values, old, 0) || leads_alike(check, old, 0, node, 0);
}

// A branch with one way left is a nop, and goes there.
static bool check_successors(Check *check, Node node) {
    Node old = check->hint->old.at[node.i];
    const Instr *then = func_at(check->before, old), *now = func_at(check->after, node);
    uint32_t way = check->values.way[old.i], count = way == NO_ID ? then->succ_count : 1;
    if (way == NO_ID && then->kind == I_SWITCH && now->kind == I_SWITCH)
        return check_ways_of_switch(check, node, old);
    if (now->succ_count != count)
        return REJECT(check, node, "the number of its successors differs");
    for (uint32_t k = 0; k < count; k++)
        if (!leads_alike(check, old, way == NO_ID ? k : way, node, k)) return false;
    return true;
}

// ---- Values of new registers

// The value that a register of `after` refines; NO_ID if there is none, as of what nothing sets.
static uint32_t value_of(const Check *check, Reg reg) {
    if (reg.i == NO_ID || check->definitions[reg.i].by == SET_BY_NOTHING) return NO_ID;
    Node node = check->definitions[reg.i].node;
    if (node.i != NO_ID && !is_reached(check, node)) return NO_ID;
    return check->hint->value_of_new.at[reg.i];
}

// Whether a new register refines a value.
static bool reg_refines_value(const void *context, Reg reg, uint32_t value) {
    const Check *check = context;
    uint32_t held = value_of(check, reg);
    return value_is_undefined(&check->values, value) ||
           (held != NO_ID && (held == value || held == check->values.root[value]));
}

// Whether a new register refines an old one.
static bool reg_refines_reg(const Check *check, Reg old, Reg fresh) {
    return value_refines_reg(&check->values, old, value_of(check, fresh));
}

static bool computes(const Check *check, const Instr *instr, uint32_t value) {
    return value_is_instr(&check->values, value, instr, check, reg_refines_value);
}

// Whether an operator yields a value, or moves what refines it.
static bool result_is(const Check *check, const Instr *instr, uint32_t value) {
    return computes(check, instr, value) ||
           (op_is_move(instr->op) && reg_refines_value(check, instr->arg[0], value));
}

// Where a register of `after` is set, as a point of `before`.
static Point point_of_new(const Check *check, Definition definition) {
    if (definition.node.i == NO_ID) return POINT_TOP;
    Point point = {check->performs[definition.node.i], POINT_INSTR};
    if (is_prelude(check, definition.node)) point.level = POINT_PRELUDE;
    if (definition.by == SET_BY_PHI) point.level = POINT_PHIS;
    return point;
}

// The value of a register has its type, and is known where that is set. The value of a parameter is
// the parameter itself.
static bool check_value(Check *check, Reg reg) {
    const Values *values = &check->values;
    uint32_t value = value_of(check, reg);
    Definition definition = check->definitions[reg.i];
    if (value == NO_ID) return true;
    if (value >= values->count || values->type[value] != reg_type(check->after, reg))
        return REJECT(check, NO_NODE, "new register %u has no value of its type", reg.i);
    if (definition.by == SET_BY_CALLER && !value_is_old(values, value, reg))
        return REJECT(check, NO_NODE, "new register %u is a parameter and nothing else", reg.i);
    return point_is_above(values, values->base[value], point_of_new(check, definition)) ||
           REJECT(check, NO_NODE, "new register %u is set where its value is not known", reg.i);
}

static bool check_new_regs(Check *check) {
    if (check->hint->value_of_new.count != check->after->regs.count)
        return REJECT(check, NO_NODE, "the hint does not cover every new register");
    for (uint32_t r = 0; r < check->after->regs.count; r++)
        if (!check_value(check, (Reg){r})) return false;
    return true;
}

// ---- Unread slots

static bool leaves_out_writes(const Check *check) {
    for (uint32_t n = 0; n < check->before->nodes.count; n++) {
        const Instr *then = &check->before->nodes.at[n];
        if (!is_write(then) || !values_reach(&check->values, (Node){n})) continue;
        uint32_t performer = check->performer[n];
        if (performer == NO_ID || check->after->nodes.at[performer].kind != then->kind) return true;
    }
    return false;
}

// The slots that a call reads by the addresses in its arguments.
static void note_passed(Check *check, const Instr *call) {
    for (uint32_t k = 0; call->kind == I_CALL && k < call->arg_count; k++) {
        uint32_t bits, slot = places_passed(check->values.places, check->before, call, k, &bits);
        if (slot != NO_ID && bits & UNIT_READ) check->unread[slot] = false;
    }
}

static void note_read(Check *check, const Instr *instr) {
    MemBytes bytes = accessed_bytes(check, instr, 1);
    if (bytes.base == BASE_SLOT) check->unread[bytes.ref] = false;
}

// A node of `after` reads what its old node reads, and what its LOAD reads.
static void find_unread(Check *check) {
    const Func *before = check->before;
    if ((!before->slots.count && !before->program->unit) || !leaves_out_writes(check)) return;
    const Places *places = values_places(&check->values);
    check->unread = ARENA_ARRAY(check->arena, bool, before->slots.count);
    for (uint32_t i = 0; i < before->slots.count; i++) check->unread[i] = !places->shared.at[1 + i];
    for (uint32_t n = 0; n < check->after->nodes.count; n++) {
        const Instr *now = &check->after->nodes.at[n];
        Node old = check->hint->old.at[n];
        if (!is_reached(check, (Node){n})) continue;
        if (old.i != NO_ID) note_passed(check, func_at(before, old));
        if (!(instr_effects(now) & MAY_READ)) continue;
        if (old.i != NO_ID && instr_effects(func_at(before, old)) & MAY_READ)
            note_read(check, func_at(before, old));
        uint32_t value = value_of(check, now->dest);
        const HintValue *it = value == NO_ID ? NULL : &check->values.terms.values[value];
        if (it && it->kind == VALUE_LOAD) note_read(check, &before->nodes.at[it->imm]);
    }
}

// ---- Loads that are done ahead

// Whether two loads of `before` have the same address as far as values tell.
static bool same_load(const Check *check, const Instr *a, const Instr *b) {
    const Func *func = check->before;
    if (!instr_alike(func, a, func, b)) return false;
    for (uint32_t k = 0; k < a->arg_count; k++) {
        uint32_t value = check->values.value_of[instr_args(func, b)[k].i];
        if (check->values.value_of[instr_args(func, a)[k].i] != value) return false;
    }
    return true;
}

// The way is looked at for so many nodes only, so that all work is linear.
enum { LONGEST_WAY = 96 };

// Whether `before` comes from a node to a load of the same bytes without being able to leave the
// way: only nops, operators, loads, stores, memcpy and memset lie between, which begin and end no
// object's life and are no events. Registers of the address are set at nodes that dominate the
// first node: none of these is met again.
static bool comes_to_load(const Check *check, Node from, const Instr *load) {
    Node node = from;
    for (uint32_t i = 0; i < LONGEST_WAY; i++) {
        const Instr *instr = func_at(check->before, node);
        uint32_t way = check->values.way[node.i];
        if (instr->kind == I_LOAD && same_load(check, instr, load)) return true;
        if (way == NO_ID && !instr_is_quiet(instr)) return false;
        node = instr_succs(check->before, instr)[way == NO_ID ? 0 : way];
        if (dominates(&check->values.dom, node, from)) return false;
    }
    return false;
}

// A load in the prelude of an old node: that of `value`. The load is no new wrong step if it lies
// in a living object, or if `before` is about to go wrong itself.
static bool may_load(Check *check, Node node, uint32_t value) {
    const Instr *now = func_at(check->after, node);
    Node old = {check->performs[node.i]};
    const HintValue *it = value == NO_ID ? NULL : &check->values.terms.values[value];
    if (!it || it->kind != VALUE_LOAD || it->ref != old.i)
        return REJECT(check, node, "it is not the load that is claimed to be here");
    const Instr *load = &check->before->nodes.at[it->imm];
    if (!instr_alike(check->before, load, check->after, now))
        return REJECT(check, node, "it loads something else");
    for (uint32_t k = 0; k < now->arg_count; k++) {
        uint32_t wanted = check->values.value_of[instr_args(check->before, load)[k].i];
        if (!reg_refines_value(check, instr_args(check->after, now)[k], wanted))
            return REJECT(check, node, "its address is another");
    }
    return access_is_inside(check->after, now) || comes_to_load(check, old, load) ||
           REJECT(check, node, "it may go wrong");
}

// ---- Nodes

static bool check_prelude(Check *check, Node node) {
    const Instr *now = func_at(check->after, node);
    if (now->kind == I_NOP) return true;
    uint32_t value = value_of(check, now->dest);
    if (now->kind == I_LOAD) return may_load(check, node, value);
    if (now->kind != I_OP || !instr_is_total(now))
        return REJECT(check, node, "it is not performed by the old function, and may do harm");
    return value == NO_ID || result_is(check, now, value) ||
           REJECT(check, node, "it computes another value");
}

// An operand of an operator of `after` refines one of `before`; either may be an immediate.
static bool operand_refines(const Check *check, const Instr *then, uint32_t j, const Instr *now,
                            uint32_t k) {
    Type type = op_info(then->op)->operand[k];
    bool was_reg = j < then->arg_count, is_reg = k < now->arg_count;
    if (was_reg && is_reg) return reg_refines_reg(check, then->arg[j], now->arg[k]);
    if (!was_reg && !is_reg)
        return value_immediate(type, then->imm).bits == value_immediate(type, now->imm).bits;
    uint32_t value =
        was_reg ? check->values.value_of[then->arg[j].i] : value_of(check, now->arg[k]);
    return value != NO_ID &&
           value_is_immediate(&check->values, value, type, was_reg ? now->imm : then->imm);
}

static bool operands_refine(const Check *check, const Instr *then, const Instr *now, bool swap) {
    for (uint32_t k = 0; k < op_info(then->op)->arity; k++)
        if (!operand_refines(check, then, swap ? 1 - k : k, now, k)) return false;
    return true;
}

static bool check_operator(Check *check, Node node, const Instr *then) {
    const Instr *now = func_at(check->after, node);
    const OpInfo *info = op_info(then->op);
    if (now->kind != then->kind || now->op != then->op)
        return REJECT(check, node, "it is another operator");
    bool same = info->arity == 0 ? instr_alike(check->before, then, check->after, now)
                                 : operands_refine(check, then, now, false);
    if (!same && info->flags & OPF_COMM) same = operands_refine(check, then, now, true);
    return same || REJECT(check, node, "its operands are others");
}

// A condition has the value of the old condition: as it was formed, or a result of steps from
// there. Without a value, the condition is the same.
static bool check_condition(Check *check, Node node, Node old) {
    const Instr *now = func_at(check->after, node);
    uint32_t test = check->values.test[old.i], root;
    if (now->kind != I_COND) return REJECT(check, node, "it is no branch");
    if (test == NO_ID) return check_operator(check, node, func_at(check->before, old));
    root = check->values.root[test];
    if (computes(check, now, test) || computes(check, now, root)) return true;
    return (now->op == OP_NE_I32 && now->immediate && now->imm == 0 &&
            reg_refines_value(check, now->arg[0], root)) ||
           REJECT(check, node, "its condition is another");
}

// Whether a new register refines an old one that an old node reads.
static bool argument_is_refined(const Check *check, Node old, Reg then, Reg now) {
    uint32_t claimed = check->values.value_of[then.i], value = value_of(check, now);
    return reg_refines_reg(check, then, now) ||
           (claimed != NO_ID && value != NO_ID &&
            values_step_locally(&check->values, old, claimed, value));
}

// Whether a call by name is an old call through a pointer: the value of the pointer is the address
// of the function, and the rest of the instruction is the same.
static bool is_call_by_name(const Check *check, const Instr *then, const Instr *now) {
    const Program *program = check->before->program;
    if (!calls_through_pointer(then)) return false;
    uint32_t target = check->values.value_of[instr_args(check->before, then)[0].i];
    if (target == NO_ID || !terms_is_op(&check->values.terms, target)) return false;
    const HintValue *it = &check->values.terms.values[target];
    Instr named = *then;
    named.ref = now->ref;
    named.arg_count--;
    return it->op == OP_ADDR_SYMBOL && it->ref == now->ref && it->imm == 0 &&
           symbol_is_callable_by_name(program_at(program, (Sym){now->ref})) &&
           instr_alike(check->before, &named, check->after, now);
}

static bool check_arguments(Check *check, Node node, const Instr *then) {
    const Instr *now = func_at(check->after, node);
    uint32_t first = is_call_by_name(check, then, now); // argument of `then`
    bool alike = then->kind == I_SWITCH                 // see check_ways_of_switch
                     ? reg_type(check->before, then->arg[0]) == reg_type(check->after, now->arg[0])
                     : instr_alike(check->before, then, check->after, now);
    if (!first && !alike) return REJECT(check, node, "the instruction differs");
    for (uint32_t k = first; k < then->arg_count; k++)
        if (!argument_is_refined(check, check->hint->old.at[node.i],
                                 instr_args(check->before, then)[k],
                                 instr_args(check->after, now)[k - first]))
            return REJECT(check, node, "argument %u is another value", k);
    return true;
}

static bool check_performed(Check *check, Node node) {
    Node old = check->hint->old.at[node.i];
    const Instr *then = func_at(check->before, old), *now = func_at(check->after, node);
    if (!check_successors(check, node)) return false;
    if (now->kind == I_NOP && is_needless(check, old)) return true;
    if (then->kind != now->kind || (then->kind == I_OP && then->op != now->op))
        return is_needless(check, old)
                   ? check_prelude(check, node)
                   : REJECT(check, node, "it does not do what the old node does");
    bool same = then->kind == I_OP     ? check_operator(check, node, then)
                : then->kind == I_COND ? check_condition(check, node, old)
                                       : check_arguments(check, node, then);
    if (!same) return false;
    uint32_t value = value_of(check, now->dest);
    if (value == NO_ID) return true;
    if (value_is_old(&check->values, value, then->dest)) return true;
    return (now->kind == I_OP && result_is(check, now, value)) ||
           value_is_call(&check->values, value, check->after, now, check, reg_refines_value) ||
           REJECT(check, node, "its result is another value");
}

// Whether argument k of a phi is right for a phi of an old join, into which it comes `at` there.
static bool argument_refines(const Check *check, Node join, const Phi *phi, uint32_t k,
                             uint32_t value, uint32_t at) {
    const Values *values = &check->values;
    const HintValue *it = &values->terms.values[value];
    Reg now = phi_args(check->after, phi)[k];
    if (it->kind == VALUE_PHI && it->ref == join.i) {
        uint32_t arg = terms_args(&values->terms, value)[at];
        return arg == NO_ID || reg_refines_value(check, now, arg);
    }
    if (it->kind != VALUE_OLD) return false;
    Definition definition = values->definitions[it->ref];
    if (definition.by != SET_BY_PHI || definition.node.i != join.i) return false;
    const Phi *then = &check->before->phis.at[definition.at];
    return reg_refines_reg(check, phi_args(check->before, then)[at], now);
}

// The phis of a node: they are at the start of the nodes that perform a join, and come from nodes
// that perform its predecessors.
static bool check_phis(Check *check, Node node) {
    const Func *after = check->after;
    Node join = {check->performs[node.i]};
    uint32_t count = func_phi_count(after, node);
    if (!count) return true;
    if (check->start[join.i] != node.i) return REJECT(check, node, "phis stand inside a prelude");
    for (uint32_t k = 0; k < preds_count(&check->preds, node); k++) {
        Node pred = preds_at(&check->preds, node)[k], old = check->hint->old.at[pred.i];
        if (!is_reached(check, pred)) continue;
        uint32_t at = old.i == NO_ID ? NO_ID : preds_index(&check->values.preds, join, old);
        if (at == NO_ID)
            return REJECT(check, node, "predecessor %u performs none of the old join's", k);
        for (uint32_t i = 0; i < count; i++) {
            const Phi *phi = &func_phis(after, node)[i];
            uint32_t value = value_of(check, phi->dest);
            if (value != NO_ID && !argument_refines(check, join, phi, k, value, at))
                return REJECT(check, node, "argument %u of phi %u is another value", k, i);
        }
    }
    return true;
}

static bool check_nodes(Check *check) {
    Node entry;
    if (!find_next(check, (Node){0}, &entry)) return false;
    if (check->start[entry.i] != 0)
        return REJECT(check, (Node){0}, "the entry is not where it starts");
    for (uint32_t n = 0; n < check->after->nodes.count; n++) {
        Node node = {n};
        if (!is_reached(check, node)) continue;
        bool good =
            is_prelude(check, node) ? check_prelude(check, node) : check_performed(check, node);
        if (!good || !check_phis(check, node)) return false;
    }
    return true;
}

// Accepts if `after` does the same as `before`, in the same order and with values that refine the
// values of `before`. Both are well-formed SSA.
Verdict check_values(Arena *arena, const Func *before, const Func *after, const ValuesHint *hint) {
    uint32_t nodes = before->nodes.count;
    Check check = {.arena = arena, .before = before, .after = after, .hint = hint};
    check.values.arena = arena;
    if (!check_outline(&check) || !values_start(&check.values, arena, before, hint))
        return check.values.verdict;
    check.preds = preds_of(arena, after);
    check.reach = dominance_of(arena, after, &check.preds);
    check.definitions = definitions_of(arena, after);
    check.performer = ARENA_ARRAY(arena, uint32_t, nodes);
    check.start = ARENA_ARRAY(arena, uint32_t, nodes);
    check.next = ARENA_ARRAY(arena, uint32_t, nodes);
    check.performs = ARENA_ARRAY(arena, uint32_t, after->nodes.count);
    for (uint32_t n = 0; n < nodes; n++)
        check.performer[n] = check.start[n] = check.next[n] = NO_ID;
    bool good = values_check_phi_ranges(&check.values) && values_check_claims(&check.values) &&
                values_check_decisions(&check.values) && values_check_memory(&check.values) &&
                find_performers(&check) && check_new_regs(&check);
    if (!good) return check.values.verdict;
    find_unread(&check);
    return check_nodes(&check) ? VERDICT_ACCEPTED : check.values.verdict;
}
