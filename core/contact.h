/* contact.h: contacts as plain data, the table between collide/ and solver/.
 *
 * A manifold is what one pair of shapes touches with: up to four points that share a normal. The
 * narrow phase writes geometry, the contact update carries impulses over by feature, the solver
 * reads both and writes impulses back. Positions are relative to body a's centre of mass, so no
 * absolute position reaches the solver. */
#ifndef LODE_CORE_CONTACT_H
#define LODE_CORE_CONTACT_H

#include "core/math.h"
#include "core/pool.h"
#include "lode/surface.h"

enum { LODE__MANIFOLD_POINTS = 4 };

typedef struct lode__point {
    lode_vec3 position;   /* midway between the surfaces, from a's centre of mass, world axes */
    lode_real depth;      /* m; negative: a gap */
    lode_real impulse[3]; /* N s, along normal, tangent, normal x tangent; kept for warm starts */
    lode_real exerted[3]; /* N s, likewise, in all of the last step; only told */
    uint32_t feature;     /* names the features that touch */
    uint32_t child_a;     /* which part of shape a, as the triangle of a mesh, plus 1; 0: none */
    uint32_t child_b;     /* of shape b */
} lode__point;

typedef struct lode__manifold {
    lode_vec3 normal;      /* unit, world, pointing into body a */
    lode_real restitution; /* mixed coefficient */
    lode_vec3 offset;      /* from b's centre of mass to a's, world axes, m */
    lode_vec3 tangent;     /* the first friction direction, unit, world, across the normal; zero:
                                  any */
    lode_real friction[2]; /* mixed coefficients along tangent and normal x tangent, finite */
    uint32_t shape_a, shape_b; /* slots, shape_a < shape_b */
    uint32_t body_a, body_b;   /* slots */
    uint32_t idle : 1;         /* the contact is told of and bears nothing; others around it do */
    uint32_t turned : 1;       /* its impulses are those on b, though a could be pushed: in the last
                                  step a was the side that is not moved */
    uint32_t special : 30;     /* where its lode__special is, see special_of(); 0: it has none */
    int32_t point_count;
    lode__point points[LODE__MANIFOLD_POINTS];
} lode__manifold;

/* What few contacts have besides friction and restitution; lode/surface.h says what it means. */
typedef struct lode__special {
    lode_vec3 motion;       /* wanted velocity of body a against b, world, m/s */
    lode_real bounce_speed; /* m/s; negative: the world's */
    lode_real erp, cfm;     /* of the normal rows; negative: the solver's */
    lode_real slip[2];      /* of each point, along tangent and normal x tangent, s/kg */
    lode_real rolling[3];   /* m, about tangent, normal x tangent and normal; finite */
    uint8_t law[2];    /* lode_friction_law; friction is a point's force, N, where it is a box */
    uint8_t moment[3]; /* 1: `rolling` is a point's moment, N m */
    uint8_t immovable; /* lode_immovable: of body a and body b */
    uint8_t unused[2]; /* 0: no padding */
    lode_vec3 turn;    /* N m s on body a, world: against rolling; kept for warm starts */
    lode_vec3 turned;  /* the same in all of the last step; only told */
} lode__special;

_Static_assert(sizeof(lode__special) == 17 * sizeof(lode_real) + 8,
               "it is saved and hashed as it lies there, without padding");

/* A manifold that is in no pool: one that the caller made, whose shapes are LODE__NONE. */
typedef struct lode__lone_manifold {
    lode__manifold manifold;
    lode__special special;
} lode__lone_manifold;

/* A tangent to n, continuous but for a seam at n.z = 0 (Duff et al. 2017, "Building an orthonormal
 * basis, revisited"). */
static inline lode_vec3 contact_tangent(lode_vec3 n)
{
    lode_real sign = n.z < 0 ? (lode_real)-1 : (lode_real)1;
    lode_real a = -(1 / (sign + n.z)), b = n.x * n.y * a;
    return v3(1 + sign * n.x * n.x * a, sign * b, -(sign * n.x));
}

/* The first friction direction of a contact, the second being n x it. The solver's kernels compute
 * the same; n is the normal that points into a body that moves. */
static inline lode_vec3 contact_direction(const lode__manifold *manifold, lode_vec3 n)
{
    bool given = v3_dot(manifold->tangent, manifold->tangent) > 0;
    return given ? manifold->tangent : contact_tangent(n);
}

/* Are the impulses of a manifold those on body a, given whether that can be pushed at all? Else
 * they are those on b. */
static inline bool is_pushed_as_a(const lode__manifold *m, bool a_movable)
{
    return a_movable && !m->turned;
}

/* What a point has exerted in the last step, as one vector on body a, N s. The solver's friction
 * directions belong to the normal into the body that is pushed: see is_pushed_as_a(). */
static inline lode_vec3 exerted_on_a(const lode__manifold *m, const lode__point *point,
                                     bool a_movable)
{
    bool a_moves = is_pushed_as_a(m, a_movable);
    lode_vec3 n = a_moves ? m->normal : v3_neg(m->normal), t = contact_direction(m, n);
    lode_vec3 sum = v3_madd(v3_scale(n, point->exerted[0]), t, point->exerted[1]);
    sum = v3_madd(sum, v3_cross(n, t), point->exerted[2]);
    return a_moves ? sum : v3_neg(sum);
}

/* clang-format off */
#define LODE__MANIFOLD_COMPONENTS(X) \
    /* name     type            keeping    heat */ \
    X(manifold, lode__manifold, LODE__SAVED, LODE__HOT) \
    /* of a pair that has many: the next of the pair; of a resting contact: the next of its shape, \
       those of one pair behind one another; or LODE__NONE */ \
    X(next,     uint32_t,       LODE__TRANSIENT, LODE__COLD) \
    X(special,  lode__special,  LODE__TRANSIENT, LODE__LEFT)
/* clang-format on */

LODE__POOL_DECLARE(manifold, LODE__MANIFOLD_COMPONENTS)

/* Of a special manifold, of the pool or alone. */
static inline lode__special *special_of(const lode__pool *manifolds, const lode__manifold *m)
{
    if (m->shape_a == LODE__NONE)
        return &((lode__lone_manifold *)(uintptr_t)m)->special;
    return LODE__AT(manifold, manifolds, special, m->special - 1);
}

/* A lode_immovable, where both sides change places. */
static inline uint8_t swap_immovable(uint32_t immovable, bool swapped)
{
    return (uint8_t)(swapped && immovable ? LODE_IMMOVABLE_COUNT - immovable : immovable);
}

/* Which of a contact's bodies it does not move: a lode_immovable. */
static inline int immovable_of(const lode__pool *manifolds, const lode__manifold *m)
{
    return m->special ? special_of(manifolds, m)->immovable : 0;
}

#endif
