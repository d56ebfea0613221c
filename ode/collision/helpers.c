/* helpers.c: what the collision interface offers besides geoms: nearest points of segments, and
 * boxes that are no geoms. */
#include "ode/collision/space.h"

#include "ode/rotation.h"

#include <string.h>

/* --- segments */

static lode_real within(lode_real x)
{
    return r_min(r_max(x, 0), 1);
}

/* The nearest points of two segments lie on the lines' common perpendicular, or one of them at an
 * end (Ericson 2005, "Real-time collision detection", 5.1.9). */
void dClosestLineSegmentPoints(const dVector3 a1, const dVector3 a2, const dVector3 b1,
                               const dVector3 b2, dVector3 cp1, dVector3 cp2)
{
    if (!CHECK_GIVEN(a1) || !CHECK_GIVEN(a2) || !CHECK_GIVEN(b1) || !CHECK_GIVEN(b2) ||
        !CHECK_GIVEN(cp1) || !CHECK_GIVEN(cp2))
        return;
    lode_vec3 p = vec_of(a1), q = vec_of(b1), d = v3_sub(vec_of(a2), p), e = v3_sub(vec_of(b2), q);
    lode_vec3 r = v3_sub(p, q);
    lode_real dd = v3_dot(d, d), ee = v3_dot(e, e), de = v3_dot(d, e);
    lode_real dr = v3_dot(d, r), er = v3_dot(e, r), s = 0, t = 0;
    lode_real det = dd * ee - de * de;
    if (dd > 0 && det > REAL_EPSILON * dd * ee)
        s = within((de * er - dr * ee) / det);
    if (ee > 0)
        t = within((de * s + er) / ee);
    if (dd > 0)
        s = within((de * t - dr) / dd);
    put_vec(cp1, v3_madd(p, d, s));
    put_vec(cp2, v3_madd(q, e, t));
}

/* --- boxes that are no geoms */

typedef struct box_pair {
    struct dxGeom a, b;
} box_pair;

static void set_box(struct dxGeom *box, const dReal *p, const dReal *R, const dReal *side)
{
    memset(box, 0, sizeof *box);
    box->class = lode__ode_class_of(dBoxClass);
    box->number = dBoxClass;
    box->unbounded = true;
    box->geometry = (lode__geometry){.pose = {{0, 0, 0}, {1, 0, 0, 0}},
                                     .center = {{0, 0, 0}, {1, 0, 0, 0}},
                                     .size = {side[0] / 2, side[1] / 2, side[2] / 2},
                                     .type = LODE_BOX};
    lode__ode_spot_clear(&box->own);
    dGeomSetPosition(box, p[0], p[1], p[2]);
    dGeomSetRotation(box, R);
}

static bool are_given(const dReal *p1, const dReal *R1, const dReal *side1, const dReal *p2,
                      const dReal *R2, const dReal *side2, const char *function)
{
    return lode__ode_check(p1 && R1 && side1 && p2 && R2 && side2, function,
                           "p1, R1, side1, p2, R2, side2", "must not be null") &&
           lode__ode_check(side1[0] > 0 && side1[1] > 0 && side1[2] > 0 && side2[0] > 0 &&
                               side2[1] > 0 && side2[2] > 0,
                           function, "side1, side2", "must be above 0");
}

int dBoxTouchesBox(const dVector3 _p1, const dMatrix3 R1, const dVector3 side1, const dVector3 _p2,
                   const dMatrix3 R2, const dVector3 side2)
{
    box_pair pair;
    dContactGeom contact;
    if (!are_given(_p1, R1, side1, _p2, R2, side2, __func__))
        return 0;
    set_box(&pair.a, _p1, R1, side1);
    set_box(&pair.b, _p2, R2, side2);
    return dCollide(&pair.a, &pair.b, (int)(1 | CONTACTS_UNIMPORTANT), &contact, sizeof contact) >
           0;
}

/* 1 to 3 for an axis of the first box, 4 to 6 for one of the second, 7 and up for an edge of
 * each. */
static int axis_code(const dReal *R1, const dReal *R2, lode_vec3 normal)
{
    for (int i = 0; i < 6; ++i) {
        const dReal *R = i < 3 ? R1 : R2;
        int k = i % 3;
        if (r_abs(v3_dot(normal, v3(R[k], R[4 + k], R[8 + k]))) > 1 - 16 * REAL_EPSILON)
            return i + 1;
    }
    int code = 7;
    lode_real best = -1;
    for (int i = 0; i < 9; ++i) {
        lode_vec3 a = v3(R1[i / 3], R1[4 + i / 3], R1[8 + i / 3]);
        lode_vec3 b = v3(R2[i % 3], R2[4 + i % 3], R2[8 + i % 3]);
        lode_real along = r_abs(v3_dot(normal, v3_normalize_or(v3_cross(a, b), v3_zero())));
        code = along > best ? 7 + i : code;
        best = r_max(along, best);
    }
    return code;
}

int dBoxBox(const dVector3 p1, const dMatrix3 R1, const dVector3 side1, const dVector3 p2,
            const dMatrix3 R2, const dVector3 side2, dVector3 normal, dReal *depth,
            int *return_code, int flags, dContactGeom *contact, int skip)
{
    box_pair pair;
    if (!are_given(p1, R1, side1, p2, R2, side2, __func__) || !CHECK_GIVEN(normal) ||
        !CHECK_GIVEN(depth) || !CHECK_GIVEN(return_code) || !CHECK_GIVEN(contact))
        return 0;
    set_box(&pair.a, p1, R1, side1);
    set_box(&pair.b, p2, R2, side2);
    *return_code = 0;
    int count = dCollide(&pair.a, &pair.b, flags, contact, skip);
    if (count == 0)
        return 0;
    lode_vec3 n = vec_of(contact->normal);
    put_vec(normal, v3_neg(n)); /* from the first to the second */
    *depth = 0;
    for (int i = 0; i < count; ++i) {
        dContactGeom *c = (dContactGeom *)(void *)((char *)contact + (ptrdiff_t)i * skip);
        *depth = r_max(*depth, c->depth);
        c->g1 = c->g2 = NULL;
    }
    *return_code = axis_code(R1, R2, n);
    return count;
}
