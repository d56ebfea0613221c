/* pair_company.c: holds bodies of several shapes against the oracle: both bodies of a pair get more
 * solids, which lie about the first one or within it, flush or across. */
#include "tests/fuzz/pair.h"

enum { MOST = 4, MOST_CONTACTS = 512 };

/* m: of contacts; and how far places are apart that are told as one, and the sine of the angle
 * between their normals (collide/coincide.c) */
#define MARGIN 0.008
#define ONE_PLACE (MARGIN / 4)
#define ONE_NORMAL 0.0142

typedef struct company {
    int count;
    subject of[MOST];
} company;

static company companies[2];

static void gather(company *c, const subject *first, fuzz_bytes *in)
{
    int more = (int)fuzz_below(in, MOST);
    c->of[0] = *first;
    c->count = 1;
    for (int i = 0; i < more; ++i)
        c->count += pair_add_solid(&c->of[c->count], first, in);
    /* its body's centre of mass is another now, which it is turned about */
    const double *center = first->parts[0].center;
    if (c->count > 1)
        c->of[0].far += sqrt(form_dot(center, center));
}

static const subject *find(const company *c, lode_shape shape)
{
    for (int i = 0; i < c->count; ++i)
        if (c->of[i].shape.id == shape.id)
            return &c->of[i];
    return NULL;
}

static bool is_whole(const subject *s)
{
    return !pair_is_surface(s);
}

/* A point may have the depth of another pair's that it stands for. */
static void check_depths(const pair *p, const lode_contact *c, const pair *own)
{
    double n[3] = {(double)c->normal.x, (double)c->normal.y, (double)c->normal.z};
    double deepest = -INFINITY, most = -INFINITY;
    static pair other;
    for (int i = 0; i < c->point_count; ++i)
        deepest = fmax(deepest, (double)c->points[i].depth);
    if (c->shape_a.id != own->a.shape.id)
        for (int k = 0; k < 3; ++k)
            n[k] = -n[k];
    for (int i = 0; i < companies[0].count; ++i)
        for (int k = 0; k < companies[1].count; ++k) {
            const subject *a = &companies[0].of[i], *b = &companies[1].of[k];
            bool flat = a->type == LODE_PLANE || b->type == LODE_PLANE;
            if (!is_whole(a) || !is_whole(b) || (flat && own->a.type != LODE_PLANE &&
                                                 own->b.type != LODE_PLANE))
                return;
            pair_between(p, a, b, &other);
            double overlap = -pair_gap_along(&other, n);
            double slack = 2 * other.tolerance + ONE_NORMAL * (a->span + b->span) + ONE_PLACE;
            most = fmax(most, overlap + slack + 1e-4 * fabs(overlap));
        }
    FUZZ_CHECK(deepest <= most, "depth %g, but no shapes overlap by more than %g", deepest, most);
}

static void check_contact(const pair *p, const lode_contact *c)
{
    static pair own;
    const subject *a = find(&companies[0], c->shape_a), *b = find(&companies[1], c->shape_b);
    if (!a)
        a = find(&companies[0], c->shape_b), b = find(&companies[1], c->shape_a);
    FUZZ_CHECK(a && b, "a contact is not of a shape of each body");
    pair_between(p, a, b, &own);
    pair_check_numbers(&own, c);
    FUZZ_CHECK(own.gap.least <= MARGIN * 1.01 + own.tolerance, "a contact, but %g apart",
               own.gap.least);
    if (is_whole(a) && is_whole(b))
        check_depths(p, c, &own);
}

static bool any_surely_overlap(const pair *p)
{
    static pair own;
    for (int i = 0; i < companies[0].count; ++i)
        for (int k = 0; k < companies[1].count; ++k) {
            const subject *a = &companies[0].of[i], *b = &companies[1].of[k];
            pair_between(p, a, b, &own);
            if (pair_surely_overlap(&own))
                return true;
        }
    return false;
}

void pair_check_company(const pair *p, fuzz_bytes *in)
{
    static lode_contact contacts[MOST_CONTACTS];
    gather(&companies[0], &p->a, in);
    gather(&companies[1], &p->b, in);
    FUZZ_CHECK(lode_world_collide(p->world, (lode_real)1 / 60) == LODE_OK, "collide");
    int count = lode_world_get_contacts(p->world, contacts, MOST_CONTACTS);
    for (int i = 0; i < count && i < MOST_CONTACTS; ++i)
        check_contact(p, &contacts[i]);
    if (count == 0 && (pair_is_solid(&p->a) || pair_is_solid(&p->b))) /* else neither moves */
        FUZZ_CHECK(!any_surely_overlap(p), "bodies overlap without a contact");
}
