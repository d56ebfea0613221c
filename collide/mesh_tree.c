/* mesh_tree.c: the tree over a mesh's triangles; mesh_walk.c walks it.
 *
 * Ranges of triangles are cut in two where the surface area heuristic is least (Wald 2007, "On fast
 * construction of SAH-based bounding volume hierarchies"): centres are counted in 16 bins along
 * each axis. A node takes a range and goes on cutting its largest part until it has eight, so the
 * binary tree is never made. Ranges of up to four triangles are leaves.
 *
 * Boxes are in single precision, rounded outwards. A cut that leaves nothing on one side, or one
 * too deep, halves the range instead; that bounds the depth, and with it the stack of a walk
 * (mesh_walk.c). */
#include "collide/float_bounds.h"
#include "collide/mesh.h"
#include "core/memory.h"

enum { BINS = 16, DEEP = 24 };

typedef lode__mesh_box box;

/* Boxes lie beside `order` and change places with it, so a range is read from end to end. */
typedef struct build {
    lode__mesh *mesh;
    box *boxes;
    uint32_t node_capacity;
    bool failed;
} build;

/* Of the children of one node. */
typedef struct range {
    uint32_t begin, end;
    box box;
} range;

/* --- boxes */

static const box no_box = {{FLT_MAX, FLT_MAX, FLT_MAX, FLT_MAX},
                           {-FLT_MAX, -FLT_MAX, -FLT_MAX, -FLT_MAX}};

static box box_of(const lode__triangle *t)
{
    lode_vec3 lo = v3_min(v3_min(t->v[0], t->v[1]), t->v[2]);
    lode_vec3 hi = v3_max(v3_max(t->v[0], t->v[1]), t->v[2]);
    return (box){{float_below(lo.x), float_below(lo.y), float_below(lo.z)},
                 {float_above(hi.x), float_above(hi.y), float_above(hi.z)}};
}

static void take_in(box *sum, const box *b)
{
    box out;
    for (int i = 0; i < 4; ++i)
        out.lo[i] = b->lo[i] < sum->lo[i] ? b->lo[i] : sum->lo[i];
    for (int i = 0; i < 4; ++i)
        out.hi[i] = b->hi[i] > sum->hi[i] ? b->hi[i] : sum->hi[i];
    *sum = out;
}

/* Half its surface. */
static float area(const box *b)
{
    float x = b->hi[0] - b->lo[0], y = b->hi[1] - b->lo[1], z = b->hi[2] - b->lo[2];
    return x * y + y * z + z * x;
}

static box box_of_range(const build *b, uint32_t begin, uint32_t end)
{
    box sum = no_box;
    for (uint32_t i = begin; i < end; ++i)
        take_in(&sum, &b->boxes[i]);
    return sum;
}

/* --- cuts */

/* Along each axis. */
typedef struct bins {
    box boxes[3][BINS];
    uint32_t counts[3][BINS];
    uint32_t used[3];      /* a bit for each bin that is not empty */
    float lo[3], scale[3]; /* of twice the centres */
} bins;

typedef struct cut {
    int axis, bin; /* bins below `bin` go to the left */
    float cost;
} cut;

static float twice_middle(const box *b, int axis)
{
    return b->lo[axis] + b->hi[axis];
}

static int bin_of(const bins *in, const box *b, int axis)
{
    return (int)((twice_middle(b, axis) - in->lo[axis]) * in->scale[axis]);
}

/* The bins lie between the least and the greatest centre, with which bin_of() keeps below BINS. */
static void lay_bins(const build *b, const range *r, bins *out)
{
    float lo[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, hi[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
    for (uint32_t i = r->begin; i < r->end; ++i)
        for (int k = 0; k < 3; ++k) {
            float x = twice_middle(&b->boxes[i], k);
            lo[k] = x < lo[k] ? x : lo[k];
            hi[k] = x > hi[k] ? x : hi[k];
        }
    for (int k = 0; k < 3; ++k) {
        float width = hi[k] - lo[k];
        out->lo[k] = lo[k];
        out->scale[k] = width > 2 * FLT_MIN * BINS ? BINS * 0.9999f / width : 0;
        out->used[k] = 0;
        for (int bin = 0; bin < BINS; ++bin) {
            out->counts[k][bin] = 0;
            out->boxes[k][bin] = no_box;
        }
    }
}

static void fill_bins(const build *b, const range *r, bins *out)
{
    lay_bins(b, r, out);
    for (uint32_t i = r->begin; i < r->end; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            int bin = bin_of(out, &b->boxes[i], axis);
            take_in(&out->boxes[axis][bin], &b->boxes[i]);
            ++out->counts[axis][bin];
            out->used[axis] |= 1u << bin;
        }
}

/* Cuts are tried behind each bin that is not empty: those behind empty ones part nothing else. */
static void try_axis(const bins *in, int axis, cut *best)
{
    float right_cost[BINS]; /* of what lies behind a bin */
    box sum = no_box;
    uint32_t count = 0, last = 31 - (uint32_t)__builtin_clz(in->used[axis]);
    for (uint32_t rest = in->used[axis]; rest;) {
        uint32_t bin = 31 - (uint32_t)__builtin_clz(rest);
        rest &= ~(1u << bin);
        right_cost[bin] = count > 0 ? area(&sum) * (float)count : 0;
        take_in(&sum, &in->boxes[axis][bin]);
        count += in->counts[axis][bin];
    }
    sum = no_box;
    count = 0;
    for (uint32_t rest = in->used[axis] & ~(1u << last); rest; rest &= rest - 1) {
        int bin = __builtin_ctz(rest);
        take_in(&sum, &in->boxes[axis][bin]);
        count += in->counts[axis][bin];
        float cost = area(&sum) * (float)count + right_cost[bin];
        if (best->axis < 0 || cost < best->cost)
            *best = (cut){axis, bin + 1, cost};
    }
}

static cut best_cut(const bins *in)
{
    cut best = {.axis = -1};
    for (int axis = 0; axis < 3; ++axis)
        if (in->scale[axis] > 0)
            try_axis(in, axis, &best);
    return best;
}

/* The left ones to the front; where the right ones begin. */
static uint32_t part(const build *b, const range *r, const bins *in, const cut *c)
{
    uint32_t *order = b->mesh->order, i = r->begin, end = r->end;
    while (i < end) {
        if (bin_of(in, &b->boxes[i], c->axis) < c->bin) {
            ++i;
            continue;
        }
        --end;
        uint32_t triangle = order[i];
        box here = b->boxes[i];
        order[i] = order[end];
        order[end] = triangle;
        b->boxes[i] = b->boxes[end];
        b->boxes[end] = here;
    }
    return i;
}

static box box_of_bins(const bins *in, int axis, int begin, int end)
{
    box sum = no_box;
    for (int k = begin; k < end; ++k)
        take_in(&sum, &in->boxes[axis][k]);
    return sum;
}

static bool cut_at_bins(const build *b, range *left, range *right)
{
    bins all;
    fill_bins(b, left, &all);
    cut c = best_cut(&all);
    if (c.axis < 0)
        return false;
    uint32_t at = part(b, left, &all, &c);
    *right = (range){at, left->end, box_of_bins(&all, c.axis, c.bin, BINS)};
    *left = (range){left->begin, at, box_of_bins(&all, c.axis, 0, c.bin)};
    return true;
}

static void split(const build *b, range *left, range *right, bool halve)
{
    if (!halve && cut_at_bins(b, left, right))
        return;
    uint32_t at = left->begin + (left->end - left->begin) / 2;
    *right = (range){at, left->end, box_of_range(b, at, left->end)};
    *left = (range){left->begin, at, box_of_range(b, left->begin, at)};
}

/* --- nodes */

/* A power of two, so that steps are exact. */
static float step_of(float width)
{
    float step = FLT_MIN;
    uint32_t bits;
    width /= 255;
    if (!(width > step))
        return step;
    memcpy(&bits, &width, sizeof bits);
    bits = (bits & 0x7f800000u) + 0x00800000u;
    memcpy(&step, &bits, sizeof step);
    return step;
}

static uint8_t round_steps(float x, float lo, float step, bool up)
{
    float q = (x - lo) / step;
    int k = (int)q;
    k += up && (float)k < q;
    if (up && k < 255 && lo + (float)k * step < x)
        ++k;
    if (!up && k > 0 && lo + (float)k * step > x)
        --k;
    return (uint8_t)(k < 0 ? 0 : k > 255 ? 255 : k);
}

static void pack_box(lode__mesh_node *node, int child, const box *b)
{
    for (int i = 0; i < 3; ++i) {
        node->child_lo[i][child] = round_steps(b->lo[i], node->lo[i], node->step[i], false);
        node->child_hi[i][child] = round_steps(b->hi[i], node->lo[i], node->step[i], true);
    }
}

static uint32_t add_node(build *b, const box *box)
{
    lode__mesh *mesh = b->mesh;
    if (!lode__grow((void **)&mesh->nodes, &b->node_capacity, mesh->node_count + 1,
                    sizeof *mesh->nodes)) {
        b->failed = true;
        return LODE__MESH_NO_CHILD;
    }
    lode__mesh_node *node = &mesh->nodes[mesh->node_count];
    memset(node, 0, sizeof *node);
    for (int i = 0; i < 3; ++i) {
        node->lo[i] = box->lo[i];
        node->step[i] = step_of(box->hi[i] - box->lo[i]);
    }
    for (int k = 0; k < LODE__MESH_WIDE; ++k)
        node->child[k] = LODE__MESH_NO_CHILD;
    return mesh->node_count++;
}

/* Cuts a range in up to eight. */
static int cut_up(const build *b, range children[LODE__MESH_WIDE], const range *whole, int depth)
{
    int count = 1;
    children[0] = *whole;
    while (count < LODE__MESH_WIDE) {
        int largest = -1;
        float most = -1;
        for (int k = 0; k < count; ++k) {
            bool divides = children[k].end - children[k].begin > LODE__MESH_LEAF;
            float size = depth > DEEP ? (float)(children[k].end - children[k].begin)
                                      : area(&children[k].box);
            if (divides && size > most) {
                most = size;
                largest = k;
            }
        }
        if (largest < 0)
            break;
        split(b, &children[largest], &children[count], depth > DEEP);
        ++count;
    }
    return count;
}

static uint32_t build_node(build *b, const range *whole, int depth)
{
    range children[LODE__MESH_WIDE];
    uint32_t node = add_node(b, &whole->box);
    int count = cut_up(b, children, whole, depth);
    for (int k = 0; k < count && !b->failed; ++k) {
        uint32_t size = children[k].end - children[k].begin;
        uint32_t child = LODE__MESH_LEAF_BIT | (size - 1) << 28 | children[k].begin;
        if (size > LODE__MESH_LEAF)
            child = build_node(b, &children[k], depth + 1);
        if (b->failed)
            break;
        b->mesh->nodes[node].child[k] = child;
        pack_box(&b->mesh->nodes[node], k, &children[k].box);
    }
    return node;
}

/* As large as it needs to be. */
static bool trim_nodes(build *b)
{
    lode__mesh *mesh = b->mesh;
    size_t size = mesh->node_count * sizeof *mesh->nodes;
    lode__mesh_node *nodes = b->failed ? NULL : lode__alloc(size);
    if (nodes)
        memcpy(nodes, mesh->nodes, size);
    lode__free(mesh->nodes, b->node_capacity * sizeof *mesh->nodes);
    mesh->nodes = nodes;
    return nodes != NULL;
}

bool lode__mesh_build_tree(lode__mesh *mesh, lode__mesh_box *boxes)
{
    build b = {.mesh = mesh, .boxes = boxes};
    mesh->counted = 0;
    mesh->lower = v3(REAL_MAX, REAL_MAX, REAL_MAX);
    mesh->upper = v3_neg(mesh->lower);
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
        if (mesh->flags[t] & LODE__TRIANGLE_IGNORED)
            continue;
        lode__triangle triangle = mesh_triangle(mesh, t);
        boxes[mesh->counted] = box_of(&triangle);
        mesh->order[mesh->counted++] = t;
        for (int k = 0; k < 3; ++k) {
            mesh->lower = v3_min(mesh->lower, triangle.v[k]);
            mesh->upper = v3_max(mesh->upper, triangle.v[k]);
        }
    }
    range all = {0, mesh->counted, box_of_range(&b, 0, mesh->counted)};
    build_node(&b, &all, 0);
    return trim_nodes(&b);
}
