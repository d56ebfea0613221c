/* mix.c: the contacts of shapes whose surface says more than friction and restitution; by the rules
 * of lode/surface.h, which are the same whichever shape is the first.
 *
 * Friction of two ellipses. Each shape's coefficients are a symmetric matrix in the plane across
 * the normal, with the coefficients along its directions as eigenvalues. The geometric mean of two
 * such matrices (Pusz and Woronowicz 1975) is, of 2 x 2,
 *
 *     A # B = sqrt(a b) / sqrt(det(A / a + B / b)) (A / a + B / b),   a^2 = det A,  b^2 = det B,
 *
 * which commutes, and is sqrt(A B) where both have the same directions: that of two circles, and of
 * a circle and an ellipse, is what each direction by itself would give. */
#include "collide/mix.h"

#include "core/math.h"

/* Coefficients of two ellipses count as no smaller and no larger; of 0 and infinity there is then
 * as good as no friction. */
#define LEAST ((lode_real)1e-10)
#define MOST ((lode_real)1e4)

/* --- two numbers */

static lode_real root_of_product(lode_real a, lode_real b)
{
    return r_min(r_sqrt(a * b), REAL_MAX); /* times 0 must be 0 */
}

static lode_real product(lode_real a, lode_real b)
{
    return r_min(a * b, REAL_MAX);
}

static lode_real average(lode_real a, lode_real b)
{
    return a / 2 + b / 2;
}

static lode_real least(lode_real a, lode_real b)
{
    return r_min(a, b);
}

static lode_real greatest(lode_real a, lode_real b)
{
    return r_max(a, b);
}

typedef lode_real rule_fn(lode_real a, lode_real b);

static rule_fn *const rules[LODE_MIX_COUNT] = {
    [LODE_MIX_GEOMETRIC_MEAN] = root_of_product,
    [LODE_MIX_PRODUCT] = product,
    [LODE_MIX_AVERAGE] = average,
    [LODE_MIX_MINIMUM] = least,
    [LODE_MIX_MAXIMUM] = greatest,
};

/* What the application says, or the rule; no number is 0. */
static lode_real mix_numbers(const lode__mixing *mixing, const lode__manifold *m,
                             lode__mix_fn *asked, lode_mix rule, lode_real a, lode_real b)
{
    if (!asked)
        return rules[rule](a, b);
    lode_real mixed = asked(mixing->collide->mix_context, m->shape_a, m->shape_b, a, b);
    return mixed > 0 ? r_min(mixed, REAL_MAX) : 0;
}

void lode__mix_plain(const lode__mixing *mixing, lode__manifold *m)
{
    const lode__collide *collide = mixing->collide;
    const lode__surface *a = LODE__AT(shape, &collide->shapes, surface, m->shape_a);
    const lode__surface *b = LODE__AT(shape, &collide->shapes, surface, m->shape_b);
    m->friction[0] = m->friction[1] = mix_numbers(mixing, m, collide->mix_friction,
                                                  mixing->friction, a->friction, b->friction);
    m->tangent = v3_zero();
    lode_real bounce = mix_numbers(mixing, m, collide->mix_restitution, mixing->restitution,
                                   a->restitution, b->restitution);
    m->restitution = r_min(bounce, 1);
}

/* --- sides */

/* A shape's surface at a contact; one that says nothing more has the defaults. */
typedef struct side {
    lode_surface surface;
    lode__friction_side of; /* friction */
    lode_vec3 motion;       /* world */
} side;

static side side_of(const lode__collide *collide, uint32_t shape, lode_vec3 normal)
{
    const lode__pool *shapes = &collide->shapes;
    bool special = *LODE__AT(shape, shapes, flags, shape) & LODE__SHAPE_SPECIAL;
    side s = {.surface = special ? *LODE__AT(shape, shapes, extra, shape) : surface_plain()};
    lode_quat turn = LODE__AT(shape, shapes, pose, shape)->rotation;
    lode_vec3 along = q_rotate(turn, s.surface.direction);
    along = v3_madd(along, normal, -v3_dot(normal, along));
    if (v3_length(along) > (lode_real)1e-3) /* of a unit vector */
        s.of.direction = v3_normalize_or(along, v3_zero());
    s.motion = q_rotate(turn, s.surface.motion);
    s.of.friction[0] = s.of.friction[1] = LODE__AT(shape, shapes, surface, shape)->friction;
    if (s.surface.friction_across >= 0 && !v3_is_zero(s.of.direction))
        s.of.friction[1] = r_min(s.surface.friction_across, REAL_MAX);
    return s;
}

static lode_real within(lode_real coefficient)
{
    return r_min(r_max(coefficient, LEAST), MOST);
}

static lode_real geometric_mean(lode_real a, lode_real b)
{
    return r_min(r_sqrt(a) * r_sqrt(b), REAL_MAX);
}

/* Both directions are given: those of the mean of both ellipses. */
static void mix_ellipses(lode__manifold *m, const lode__friction_side *a,
                         const lode__friction_side *b)
{
    lode_vec3 t = a->direction, across = v3_cross(m->normal, t);
    lode_real x = v3_dot(b->direction, t), y = v3_dot(b->direction, across);
    lode_real a1 = within(a->friction[0]), a2 = within(a->friction[1]);
    lode_real b1 = within(b->friction[0]), b2 = within(b->friction[1]);
    lode_real da = r_sqrt(a1 * a2), db = r_sqrt(b1 * b2);
    lode_real p = a1 / da + (b1 * x * x + b2 * y * y) / db;
    lode_real r = a2 / da + (b1 * y * y + b2 * x * x) / db;
    lode_real q = (b1 - b2) * x * y / db;
    /* p r - q q, of positive terms alone: between 0 and infinity nothing else is left of it */
    lode_real det = 2 + (a2 * (b1 * x * x + b2 * y * y) + a1 * (b1 * y * y + b2 * x * x)) / da / db;
    lode_real size = r_sqrt(da * db), root = r_sqrt(det);
    lode_real mean = (p + r) / 2, half = (p - r) / 2, radius = r_sqrt(half * half + q * q);
    lode_vec3 first = half >= 0 ? v3_madd(v3_scale(t, half + radius), across, q)
                                : v3_madd(v3_scale(t, r_abs(q)), across,
                                          q < 0 ? half - radius : radius - half);
    m->tangent = v3_normalize_or(first, t);
    m->friction[0] = size / root * (mean + radius);
    m->friction[1] = size * root / (mean + radius);
}

/* Of one direction; the mean as that of ellipses has it, which keeps more digits. */
static lode_real mix_along(const lode__mixing *mixing, const lode__manifold *m, lode_real a,
                           lode_real b)
{
    if (!mixing || (mixing->friction == LODE_MIX_GEOMETRIC_MEAN && !mixing->collide->mix_friction))
        return geometric_mean(a, b);
    return mix_numbers(mixing, m, mixing->collide->mix_friction, mixing->friction, a, b);
}

void lode__mix_friction(const lode__mixing *mixing, lode__manifold *m, const lode__friction_side *a,
                        const lode__friction_side *b)
{
    if (!v3_is_zero(a->direction) && !v3_is_zero(b->direction)) {
        mix_ellipses(m, a, b);
        return;
    }
    m->tangent = v3_is_zero(a->direction) ? b->direction : a->direction;
    for (int k = 0; k < 2; ++k)
        m->friction[k] = mix_along(mixing, m, a->friction[k], b->friction[k]);
}

/* The law of direction k; a box's force is the contact's, shared by its points. */
static uint32_t mix_law(lode__manifold *m, const side *a, const side *b, int k)
{
    lode_friction_law of_a = a->surface.law[k], of_b = b->surface.law[k];
    lode_friction_law law = of_a > of_b ? of_a : of_b;
    if (law == LODE_LAW_BOX) {
        lode_real force = of_a == law ? a->of.friction[k] : b->of.friction[k];
        if (of_a == of_b)
            force = r_min(a->of.friction[k], b->of.friction[k]);
        m->friction[k] = force / (lode_real)m->point_count;
    }
    return law;
}

static lode_real sum_of_given(lode_real a, lode_real b)
{
    if (a < 0 || b < 0)
        return r_max(a, b);
    return r_min(a + b, REAL_MAX);
}

static lode_real least_of_given(lode_real a, lode_real b)
{
    return a < 0 || b < 0 ? r_max(a, b) : r_min(a, b);
}

static lode__special mix(lode__manifold *m, const side *a, const side *b)
{
    const lode_surface *of_a = &a->surface, *of_b = &b->surface;
    lode_vec3 n = m->normal, motion = v3_sub(b->motion, a->motion);
    lode_real away = of_a->motion_normal + of_b->motion_normal;
    lode__special out = {
        .motion = v3_madd(motion, n, away - v3_dot(n, motion)),
        .bounce_speed = r_max(of_a->bounce_speed, of_b->bounce_speed),
        .erp = least_of_given(of_a->soft_erp, of_b->soft_erp),
        .cfm = sum_of_given(of_a->soft_cfm, of_b->soft_cfm),
    };
    for (int k = 0; k < 2; ++k) {
        out.law[k] = (uint8_t)mix_law(m, a, b, k);
        out.slip[k] = r_min((of_a->slip[k] + of_b->slip[k]) * (lode_real)m->point_count, REAL_MAX);
    }
    for (int k = 0; k < 3; ++k)
        out.rolling[k] = r_min(r_max(of_a->rolling[k], of_b->rolling[k]), REAL_MAX);
    return out;
}

bool lode__special_is_needed(const lode__special *s)
{
    lode_real most = 0;
    for (int k = 0; k < 3; ++k)
        most = r_max(most, s->rolling[k]);
    for (int k = 0; k < 2; ++k)
        most = r_max(most, r_max(s->slip[k], (lode_real)s->law[k]));
    return most > 0 || !v3_is_zero(s->motion) || s->bounce_speed >= 0 || s->erp >= 0 ||
           s->cfm >= 0 || s->immovable;
}

void lode__special_give(const lode__collide *collide, lode__manifold *m, uint32_t slot,
                        const lode__special *special)
{
    lode__special *at = LODE__AT(manifold, &collide->manifolds, special, slot);
    lode_vec3 turn = m->special ? at->turn : v3_zero();
    m->special = lode__special_is_needed(special) ? slot + 1 : 0;
    if (!m->special)
        return;
    *at = *special;
    at->turn = turn;
}

void lode__mix(const lode__mixing *mixing, lode__manifold *m, uint32_t slot)
{
    const lode__collide *collide = mixing->collide;
    side a = side_of(collide, m->shape_a, m->normal), b = side_of(collide, m->shape_b, m->normal);
    lode__mix_friction(mixing, m, &a.of, &b.of);
    lode__special now = mix(m, &a, &b);
    lode__special_give(collide, m, slot, &now);
}
