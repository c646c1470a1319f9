// Finds the demanded nodes. Nodes wait in a queue, so that the noted reasons lead to the request by
// short chains. Data is followed along tracks, control by the frontiers of the reverse graph: both
// find every node or edge once.
//
// Frontiers of the reverse graph describe nodes from which the function can return. If n is such a
// node, a branch is in the iterated frontier of the kept nodes exactly if two ways from the branch,
// which have nothing else in common, lead to two kept nodes, or to a kept node and a return. The
// remaining nodes lead only to endless loops, traps and wrong steps. For these the whole graph is
// looked at once everything else is done. Take the reverse graph that has the kept nodes, and the
// returns, below its root: the branches that decide between two kept nodes are the branches that
// the root dominates immediately. The same tree tells the next kept node of every node.
#include "slice/slice.h"

#include "fact/calls.h"
#include "fact/effects.h"
#include "slice/flow_graph.h"
#include "slice/variable_setters.h"

// Something on a track that has to be followed, on behalf of a node.
typedef struct {
    uint32_t track, node;
    bool set;
    uint32_t by, variable;
} Ask;

// That a node is in a group; `next` is the node's next membership, or NO_ID.
typedef struct {
    uint32_t group, next;
} Membership;

struct SliceDemand {
    Arena *arena;
    const Func *func;
    const SliceVariables *variables;
    SliceOptions options;
    Graph graph; // without ways that are not taken
    Tracks *tracks;
    // Backward. Node n of the function is n + 1 there; 0 is behind all returns.
    Graph reverse;
    DominatorTree behind;
    Frontiers deciding;
    Bits kept;
    SliceReason *reasons;
    uint32_t *next;      // NULL if it has to be computed anew
    VEC(uint32_t) queue; // kept nodes in order; those from `done` on are to be looked at
    uint32_t done;
    VEC(Ask) asks; // the same
    uint32_t asked;
    Bits variables_asked;
    uint32_t *passed;  // place on the common track -> itself, or, if it was passed, one above it
    VEC(Node) members; // of groups
    VEC(uint32_t) group_at; // group -> its first member; one more at the end
    VEC(bool) group_kept;
    VEC(Membership) memberships;
    uint32_t *groups_of; // node -> its first membership, or NO_ID
    VEC(SliceCallEvent) calls;
    uint32_t rounds;
    uint64_t deciding_taken; // edges of frontiers
};

static bool returns(const SliceDemand *demand, uint32_t node) {
    return demand->func->nodes.at[node].kind == I_RETURN;
}

SliceDemand *slice_demand_new(Arena *arena, const SliceVariables *variables, SliceOptions options) {
    const Func *func = variables->func;
    uint32_t count = func->nodes.count;
    SliceDemand *demand = ARENA_NEW(arena, SliceDemand);
    *demand = (SliceDemand){.arena = arena,
                            .func = func,
                            .variables = variables,
                            .options = options,
                            .graph = flow_graph(arena, func, options.way),
                            .kept = bits_new(arena, count),
                            .reasons = ARENA_ARRAY(arena, SliceReason, count),
                            .variables_asked = bits_new(arena, variables->count),
                            .groups_of = graph_table(arena, count)};
    demand->tracks = tracks_new(arena, &demand->graph, variables);
    demand->reverse = flow_graph_from_returns(arena, func, &demand->graph);
    demand->behind = dominator_tree_of(arena, &demand->reverse);
    demand->deciding = frontiers_of(arena, &demand->reverse, &demand->behind);
    vec_push(arena, &demand->group_at, 0);
    if (variables->whole)
        for (uint32_t n = 0; n < count; n++) slice_demand_node(demand, (Node){n});
    return demand;
}

// ---- Keeping

static void keep(SliceDemand *demand, uint32_t node, SliceReason reason) {
    if (!bits_put(&demand->kept, node)) return;
    demand->reasons[node] = reason;
    demand->next = NULL;
    vec_push(demand->arena, &demand->queue, node);
}

static void keep_deciding(SliceDemand *demand, uint32_t node) {
    FrontierEdge edge;
    while (frontier_take(&demand->deciding, node + 1, &edge)) {
        demand->deciding_taken++;
        keep(demand, edge.to - 1,
             (SliceReason){.why = SLICE_CONTROL, .by = {node}, .variable = NO_ID});
    }
}

static void keep_group(SliceDemand *demand, uint32_t group, uint32_t by) {
    if (demand->group_kept.at[group]) return;
    demand->group_kept.at[group] = true;
    uint32_t end = demand->group_at.at[group + 1];
    for (uint32_t k = demand->group_at.at[group]; k < end; k++)
        keep(demand, demand->members.at[k].i,
             (SliceReason){.why = SLICE_GROUP, .by = {by}, .variable = NO_ID});
}

void slice_demand_group(SliceDemand *demand, const Node *nodes, uint32_t count) {
    uint32_t group = demand->group_at.count - 1, by = NO_ID;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t node = nodes[k].i;
        if (bits_has(&demand->kept, node)) by = node;
        vec_push(demand->arena, &demand->members, nodes[k]);
        vec_push(demand->arena, &demand->memberships, (Membership){group, demand->groups_of[node]});
        demand->groups_of[node] = demand->memberships.count - 1;
    }
    vec_push(demand->arena, &demand->group_at, demand->members.count);
    vec_push(demand->arena, &demand->group_kept, false);
    if (by != NO_ID) keep_group(demand, group, by);
}

void slice_demand_node(SliceDemand *demand, Node node) {
    if (demand->options.way && !graph_reaches(&demand->graph, node.i)) return;
    keep(demand, node.i, (SliceReason){.why = SLICE_ASKED, .by = NO_NODE, .variable = NO_ID});
}

void slice_demand_seen(SliceDemand *demand) {
    const Func *func = demand->func;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        SliceSpan sets = slice_list(demand->variables, (Node){n}, SLICE_MAY_SET);
        bool seen = call_never_returns(func->program, instr) ||
                    (instr->kind == I_BUILTIN && instr->op == BI_TRAP);
        for (uint32_t i = 0; i < sets.count && !seen; i++)
            seen = sets.at[i] < SLICE_WORLD_COUNT && SLICE_SEEN >> sets.at[i] & 1;
        if (seen) slice_demand_node(demand, (Node){n});
    }
}

// ---- Data

static Track *track_at(const SliceDemand *demand, uint32_t track) {
    return &demand->tracks->tracks[track];
}

static void ask(SliceDemand *demand, Ask question, TrackAnswer answer) {
    Track *track = track_at(demand, question.track);
    if (answer.place == NO_ID) {
        track->from_entry = true;
        return;
    }
    TrackPlace *place = &track->places.at[answer.place];
    bool *asked = answer.set ? &place->asked_set : &place->asked_merge;
    if (*asked) return;
    *asked = true;
    question.node = place->node;
    question.set = answer.set;
    vec_push(demand->arena, &demand->asks, question);
}

// The place on the common track, or above it, that has not been passed yet.
static uint32_t not_passed(SliceDemand *demand, uint32_t place) {
    uint32_t *passed = demand->passed, top = place;
    while (top != NO_ID && passed[top] != top) top = passed[top];
    while (place != top) {
        uint32_t above = passed[place];
        passed[place] = top;
        place = above;
    }
    return top;
}

// Passes all common settings between a node and a node above it, or, if that is NO_ID, the entry.
static void pass_common(SliceDemand *demand, Ask question, uint32_t node, bool behind,
                        uint32_t limit) {
    Tracks *tracks = demand->tracks;
    question.track = tracks_common(demand->tracks);
    const Track *track = track_at(demand, question.track);
    if (!demand->passed) {
        demand->passed = ARENA_ARRAY(demand->arena, uint32_t, track->places.count);
        for (uint32_t i = 0; i < track->places.count; i++) demand->passed[i] = i;
    }
    uint32_t place = tracks_find(tracks, question.track, node, behind).place;
    while ((place = not_passed(demand, place)) != NO_ID) {
        uint32_t at = track->places.at[place].node;
        bool below = limit == NO_ID ||
                     (limit != at && intervals_contain(&tracks->tree.intervals, limit, at));
        if (!below) return;
        demand->passed[place] = track->places.at[place].above;
        question.node = at;
        vec_push(demand->arena, &demand->asks, question);
    }
}

// Asks what made a variable what it is in front of a node, or behind it.
static void look_up(SliceDemand *demand, Ask question, uint32_t node, bool behind) {
    TrackAnswer answer = tracks_find(demand->tracks, question.track, node, behind);
    if (slice_is_piece(demand->variables, question.track) &&
        slice_is_shared(demand->variables, question.track)) {
        const Track *track = track_at(demand, question.track);
        uint32_t limit = answer.place == NO_ID ? NO_ID : track->places.at[answer.place].node;
        pass_common(demand, question, node, behind, limit);
    }
    ask(demand, question, answer);
}

void slice_demand_variable(SliceDemand *demand, Node node, uint32_t variable) {
    bits_add(&demand->variables_asked, variable);
    if (!graph_reaches(&demand->graph, node.i)) return;
    Ask question = {
        .track = tracks_of(demand->tracks, variable), .by = node.i, .variable = variable};
    look_up(demand, question, node.i, false);
}

static bool is_call(const SliceDemand *demand, uint32_t node) {
    return demand->func->nodes.at[node].kind == I_CALL;
}

static void keep_for_data(SliceDemand *demand, Ask question, uint32_t node) {
    if (is_call(demand, node))
        vec_push(demand->arena, &demand->calls,
                 (SliceCallEvent){.call = {node}, .variable = question.variable});
    keep(demand, node,
         (SliceReason){.why = SLICE_DATA, .by = {question.by}, .variable = question.variable});
}

// All that comes in at a merge. On the common track, that is what lies between it and the next
// place above.
static void follow_merge(SliceDemand *demand, Ask question, const TrackPlace *place, bool common) {
    const Graph *graph = &demand->graph;
    const Track *track = track_at(demand, question.track);
    uint32_t node = place->node, limit = NO_ID;
    if (common && place->above != NO_ID) limit = track->places.at[place->above].node;
    for (uint32_t k = graph->pred_at[node]; k < graph->pred_at[node + 1]; k++) {
        uint32_t pred = graph->pred[k];
        if (!graph_reaches(graph, pred)) continue;
        if (common)
            pass_common(demand, question, pred, true, limit);
        else
            look_up(demand, question, pred, true);
    }
}

// A common setting at the node of a merge on a piece's own track, which lies behind the merge.
static void keep_common_at(SliceDemand *demand, Ask question, uint32_t node) {
    if (!slice_is_piece(demand->variables, question.track) ||
        !slice_is_shared(demand->variables, question.track))
        return;
    uint32_t common = tracks_common(demand->tracks);
    TrackAnswer answer = tracks_find(demand->tracks, common, node, true);
    if (answer.set && track_at(demand, common)->places.at[answer.place].node == node)
        keep_for_data(demand, question, node);
}

static void follow(SliceDemand *demand, Ask question) {
    const TrackPlace *place =
        &track_at(demand, question.track)
             ->places.at[tracks_place(demand->tracks, question.track, question.node)];
    bool common = question.track == demand->variables->count;
    if (common) {
        if (place->sets) keep_for_data(demand, question, place->node);
        if (place->merges) follow_merge(demand, question, place, true);
    } else if (question.set) {
        keep_for_data(demand, question, place->node);
        if (!place->certain) look_up(demand, question, place->node, false);
    } else {
        if (place->node == demand->graph.entry) track_at(demand, question.track)->from_entry = true;
        keep_common_at(demand, question, place->node);
        follow_merge(demand, question, place, false);
    }
}

// ---- Closing

// Whether a call copies aggregates from its caller.
static bool copies_aggregates(const SliceDemand *demand, const Instr *call) {
    const Program *program = demand->func->program;
    const SigInfo *sig = program_sig_info(program, (Sig){call->aux});
    bool found = false;
    for (uint32_t i = 0; i < sig->param_count; i++)
        found |= ptype_is_aggregate(program_ptype_info(program, sig->params[i]));
    return found;
}

// Of a call that another demand follows, the arguments are needed, and aggregates.
static void look_at(SliceDemand *demand, uint32_t node) {
    const Bits *followed = demand->options.followed;
    bool is_followed = followed && bits_has(followed, node);
    if (is_call(demand, node))
        vec_push(demand->arena, &demand->calls,
                 (SliceCallEvent){.call = {node}, .variable = NO_ID});
    for (uint32_t m = demand->groups_of[node]; m != NO_ID; m = demand->memberships.at[m].next)
        keep_group(demand, demand->memberships.at[m].group, node);
    SliceSpan reads = slice_list(demand->variables, (Node){node}, SLICE_READS);
    bool copies = is_followed && copies_aggregates(demand, &demand->func->nodes.at[node]);
    for (uint32_t k = 0; k < reads.count; k++)
        if (!is_followed || slice_is_register(demand->variables, reads.at[k]) ||
            (copies && slice_is_piece(demand->variables, reads.at[k])))
            slice_demand_variable(demand, (Node){node}, reads.at[k]);
    keep_deciding(demand, node);
}

static void drain(SliceDemand *demand) {
    while (demand->done < demand->queue.count || demand->asked < demand->asks.count) {
        if (demand->asked < demand->asks.count)
            follow(demand, demand->asks.at[demand->asked++]);
        else
            look_at(demand, demand->queue.at[demand->done++]);
    }
}

// The reverse graph below a root, 0, that leads to all kept nodes and to the end of the function,
// 1. Node n is n + 2. A way stops at the first kept node that it meets.
static Graph graph_of_meetings(SliceDemand *demand, Arena *arena) {
    const Graph *graph = &demand->graph;
    uint32_t *at = ARENA_ARRAY(arena, uint32_t, (size_t)graph->count + 3);
    VEC(uint32_t) succ = {0};
    vec_push(arena, &succ, 1);
    for (uint32_t n = bits_next(&demand->kept, 0); n < graph->count;
         n = bits_next(&demand->kept, n + 1))
        vec_push(arena, &succ, n + 2);
    at[1] = succ.count;
    for (uint32_t n = 0; n < graph->count; n++)
        if (!bits_has(&demand->kept, n) && returns(demand, n)) vec_push(arena, &succ, n + 2);
    for (uint32_t n = 0; n < graph->count; n++) {
        at[n + 2] = succ.count;
        for (uint32_t k = graph->pred_at[n]; k < graph->pred_at[n + 1]; k++)
            if (!bits_has(&demand->kept, graph->pred[k]))
                vec_push(arena, &succ, graph->pred[k] + 2);
    }
    at[graph->count + 2] = succ.count;
    return graph_from(arena, graph->count + 2, at, succ.at);
}

// The node that a branch meets first by one of its ways, for the reason that is noted down.
static Node met_from(const SliceDemand *demand, const uint32_t *next, uint32_t node) {
    const Graph *graph = &demand->graph;
    for (uint32_t k = graph->succ_at[node]; k < graph->succ_at[node + 1]; k++)
        if (next[graph->succ[k]] < SLICE_NEXT_ANY) return (Node){next[graph->succ[k]]};
    return NO_NODE;
}

// Computes the next kept node of each node; keeps the nodes that decide between two, and tells
// whether there are any.
static bool keep_meetings(SliceDemand *demand) {
    Arena *scratch = arena_new("next nodes of a slice");
    Graph graph = graph_of_meetings(demand, scratch);
    DominatorTree tree = dominator_tree_of(scratch, &graph);
    uint32_t count = demand->graph.count, kept = demand->queue.count;
    uint32_t *next = ARENA_ARRAY(demand->arena, uint32_t, count);
    for (uint32_t n = 0; n < count; n++) next[n] = SLICE_NEXT_ANY;
    for (uint32_t i = 1; i < graph.reached; i++) {
        uint32_t node = graph.preorder[i], above = tree.idom[node];
        if (node < 2 || !graph_reaches(&demand->graph, node - 2)) continue;
        if (above == 0)
            next[node - 2] = node - 2;
        else
            next[node - 2] = above == 1 ? SLICE_NEXT_NONE : next[above - 2];
    }
    for (uint32_t i = 1; i < graph.reached; i++) {
        uint32_t node = graph.preorder[i];
        if (tree.idom[node] != 0 || node < 2 || bits_has(&demand->kept, node - 2)) continue;
        if (!graph_reaches(&demand->graph, node - 2)) continue;
        keep(demand, node - 2,
             (SliceReason){
                 .why = SLICE_MEETING, .by = met_from(demand, next, node - 2), .variable = NO_ID});
    }
    arena_free(scratch);
    demand->rounds++;
    bool more = demand->queue.count > kept;
    demand->next = more ? NULL : next;
    return more;
}

void slice_demand_close(SliceDemand *demand) {
    SliceHook hook = demand->options.hook;
    for (;;) {
        drain(demand);
        if (!demand->next && keep_meetings(demand)) continue;
        if (!hook.more || !hook.more(hook.context, demand)) return;
    }
}

// ---- What came out

const Bits *slice_demand_kept(const SliceDemand *demand) {
    return &demand->kept;
}

const uint32_t *slice_demand_next(const SliceDemand *demand) {
    return demand->next;
}

SliceReason slice_demand_reason(const SliceDemand *demand, Node node) {
    return demand->reasons[node.i];
}

uint32_t slice_demand_rounds(const SliceDemand *demand) {
    return demand->rounds;
}

const uint32_t *slice_demand_order(const SliceDemand *demand, uint32_t *count) {
    *count = demand->queue.count;
    return demand->queue.at;
}

const SliceCallEvent *slice_demand_calls(const SliceDemand *demand, uint32_t *count) {
    *count = demand->calls.count;
    return demand->calls.at;
}

// Places on tracks that were made, asked for and looked at, and edges.
uint64_t slice_demand_steps(const SliceDemand *demand) {
    uint64_t steps = demand->queue.count + demand->asks.count + demand->deciding_taken;
    for (uint32_t t = 0; t < demand->tracks->count; t++)
        steps += demand->tracks->tracks[t].places.count;
    return steps;
}

bool slice_demand_from_entry(const SliceDemand *demand, uint32_t variable) {
    return bits_has(&demand->variables_asked, variable) &&
           demand->tracks->tracks[tracks_of(demand->tracks, variable)].from_entry;
}
