/* transmission.c: dJoint...Transmission: two wheels that drive each other, as gears or by a chain.
 * What holds them on their axes is other joints' work, and bears what the teeth press with.
 *
 * One row, of the application's own as the handle API sees it, keeps c_1 and c_2 (teeth.h) together
 * along n. How far they have come apart is what the angles of the wheels say, which are counted,
 * from 0 where anything was set last, against the spokes, and beyond whole turns:
 *     e = side_1 r_1 angle_1 - side_2 r_2 angle_2
 *
 * Within the backlash, half of it either way, there is nothing to mend, and the row yields. */
#include "ode/joint_api.h"
#include "ode/teeth.h"

#include "lode/coupling.h"

typedef struct transmission {
    lode__ode_framed framed; /* its anchors, and the axis of each wheel's own frame: axis[0] */
    int mode;
    dReal ratio, radius[2], backlash;
    lode_vec3 mark[2]; /* the spokes as they were, in the wheels' frames */
    dReal angle[2];    /* as counted last */
    /* for the step to come */
    bool meets;
    lode__ode_teeth teeth;
    lode_vec3 lever[2]; /* from the centres of mass to where it acts */
    dReal error;
} transmission;

static transmission *transmission_of(const lode__ode_framed *joint)
{
    return (transmission *)(uintptr_t)joint;
}

static dBodyID body_of(const transmission *t, int i)
{
    return t->framed.joint.node[i].body;
}

static lode_vec3 axis_of(const transmission *t, int i)
{
    return vector_out(body_of(t, i), t->framed.axis[0][i]);
}

static bool find_teeth(const transmission *t, lode__ode_teeth *out)
{
    const lode__ode_wheels wheels = {
        .mode = t->mode,
        .axis = {axis_of(t, 0), axis_of(t, 1)},
        .anchor = {lode__ode_anchor(&t->framed, 0), lode__ode_anchor(&t->framed, 1)},
        .ratio = t->ratio,
        .radius = {t->radius[0], t->radius[1]}};
    return lode__ode_teeth_of(&wheels, out);
}

/* How far a wheel is turned against its spoke, near to what it was when it was counted last. */
static dReal angle_of(const transmission *t, const lode__ode_teeth *teeth, int i)
{
    lode_vec3 mark = vector_out(body_of(t, i), t->mark[i]), axis = axis_of(t, i);
    lode_vec3 spoke = teeth->spoke[i];
    dReal angle = (dReal)atan2(v3_dot(axis, v3_cross(spoke, mark)), v3_dot(spoke, mark));
    return t->angle[i] + lode__ode_within_pi(angle - t->angle[i]);
}

/* Angles begin anew where the wheels are. */
static void capture(lode__ode_framed *joint)
{
    transmission *t = transmission_of(joint);
    lode__ode_teeth teeth;
    bool meets = find_teeth(t, &teeth);
    for (int i = 0; i < 2; ++i) {
        t->angle[i] = 0;
        t->mark[i] = meets ? vector_in(body_of(t, i), teeth.spoke[i]) : v3_zero();
    }
    joint->joint.moved_frames = true;
}

/* --- in each step */

static void count_angles(lode__ode_framed *joint)
{
    transmission *t = transmission_of(joint);
    t->meets = find_teeth(t, &t->teeth);
    if (!t->meets)
        return;
    t->error = 0;
    for (int i = 0; i < 2; ++i) {
        t->angle[i] = angle_of(t, &t->teeth, i);
        t->lever[i] = v3_sub(t->teeth.contact[i], body_of(t, i)->pose->position);
        t->error += (i ? -1 : 1) * t->teeth.side[i] * t->teeth.radius[i] * t->angle[i];
    }
}

static void write_row(void *context, const lode_row_request *request, lode_row *out_row)
{
    (void)context;
    const transmission *t = request->user_data;
    if (!t->meets)
        return;
    for (int i = 0; i < 2; ++i) {
        lode_vec3 n = i ? v3_neg(t->teeth.normal) : t->teeth.normal;
        out_row->linear[i] = n;
        out_row->angular[i] = v3_cross(t->lever[i], n);
    }
    dReal half = t->backlash / 2;
    out_row->error = t->error - (t->error < 0 ? -half : half);
    if (half == 0)
        return;
    if (t->error < 0)
        out_row->min_force = 0;
    else
        out_row->max_force = 0;
}

static void describe(const lode__ode_framed *joint, lode_joint_def *out_def)
{
    (void)joint;
    out_def->type = LODE_JOINT_ROWS;
}

static lode_joint make(dJointID joint, const lode_joint_def *def)
{
    dWorldID world = joint->world;
    const lode_row_writer writer = {.write = write_row};
    if (!world->writes_rows)
        world->writes_rows = lode_world_set_row_writer(world->handle, &writer) == LODE_OK;
    const lode_body bodies[2] = {def->body_a, def->body_b};
    lode_rows_def rows = lode_rows_def_default();
    rows.bodies = bodies;
    rows.body_count = 2;
    rows.erp = def->erp;
    rows.cfm = def->cfm;
    rows.enabled = def->enabled;
    rows.user_data = joint;
    return lode_rows_create(world->handle, &rows);
}

static void tell(const lode__ode_framed *joint, dJointFeedback *out)
{
    const transmission *t = transmission_of(joint);
    dReal force = t->meets ? lode_joint_get_row_force(joint->joint.handle, 0) : 0;
    lode_vec3 f = v3_scale(t->meets ? t->teeth.normal : v3_zero(), force);
    put_vec(out->f1, f);
    put_vec(out->t1, v3_cross(t->lever[0], f));
    put_vec(out->f2, v3_neg(f));
    put_vec(out->t2, v3_cross(t->lever[1], v3_neg(f)));
}

const lode__ode_joint_type lode__ode_transmission = {.type = dJointTypeTransmission,
                                                     .name = "transmission",
                                                     .size = sizeof(transmission),
                                                     .joins_two = true,
                                                     .attached = capture,
                                                     .before_bring = count_angles,
                                                     .describe = describe,
                                                     .make = make,
                                                     .tell = tell};

dJointID dJointCreateTransmission(dWorldID world, dJointGroupID group)
{
    dJointID joint = lode__ode_joint_create(world, group, &lode__ode_transmission);
    if (!joint)
        return NULL;
    transmission *t = transmission_of(framed(joint));
    t->ratio = 1;
    t->framed.erp = world->erp;
    t->framed.cfm = world->cfm;
    return joint;
}

/* --- what the program sets. What follows from other things in a mode is not set in it. */

static transmission *in_mode(dJointID joint, unsigned modes, const char *function)
{
    if (!lode__ode_joint_is(joint, &lode__ode_transmission, function))
        return NULL;
    transmission *t = transmission_of(framed(joint));
    return lode__ode_check(modes >> t->mode & 1, function, "joint", "is in another mode") ? t
                                                                                          : NULL;
}
#define PARALLEL (1u << dTransmissionParallelAxes)
#define INTERSECTING (1u << dTransmissionIntersectingAxes)
#define CHAIN (1u << dTransmissionChainDrive)
#define IN_MODE(joint, modes) in_mode(joint, modes, __func__)
#define IS_LENGTH(x) (isfinite(x) && (x) > 0)

/* After anything is set. */
static void begin_anew(transmission *t)
{
    if (body_of(t, 0))
        capture(&t->framed);
}

void dJointSetTransmissionMode(dJointID joint, int mode)
{
    transmission *t = IN_MODE(joint, PARALLEL | INTERSECTING | CHAIN);
    if (!t || !CHECK(mode >= dTransmissionParallelAxes && mode <= dTransmissionChainDrive, "mode",
                     "must be one of the modes"))
        return;
    t->mode = mode;
    begin_anew(t);
}

int dJointGetTransmissionMode(dJointID joint)
{
    return IS(joint, lode__ode_transmission) ? transmission_of(framed(joint))->mode : 0;
}

void dJointSetTransmissionRatio(dJointID joint, dReal ratio)
{
    transmission *t = IN_MODE(joint, PARALLEL);
    if (!t || !CHECK(IS_LENGTH(ratio), "ratio", "must be finite and above 0"))
        return;
    t->ratio = ratio;
    begin_anew(t);
}

static void set_radius(transmission *t, int i, dReal radius, const char *function)
{
    if (!t || !lode__ode_check(IS_LENGTH(radius), function, "radius", "must be finite and above 0"))
        return;
    t->radius[i] = radius;
    begin_anew(t);
}

void dJointSetTransmissionRadius1(dJointID joint, dReal radius)
{
    set_radius(IN_MODE(joint, CHAIN), 0, radius, __func__);
}

void dJointSetTransmissionRadius2(dJointID joint, dReal radius)
{
    set_radius(IN_MODE(joint, CHAIN), 1, radius, __func__);
}

void dJointSetTransmissionBacklash(dJointID joint, dReal backlash)
{
    if (IS(joint, lode__ode_transmission) &&
        CHECK(isfinite(backlash) && backlash >= 0, "backlash", "must be finite and at least 0"))
        transmission_of(framed(joint))->backlash = backlash;
}

static void set_axis(transmission *t, int i, lode_vec3 v, const char *function)
{
    if (!t || !body_of(t, 0) ||
        !lode__ode_check(v3_finite(v), function, "x, y, z", "must be finite"))
        return;
    t->framed.axis[0][i] = vector_in(body_of(t, i), v3_normalize_or(v, v3(1, 0, 0)));
    capture(&t->framed);
}

void dJointSetTransmissionAxis1(dJointID joint, dReal x, dReal y, dReal z)
{
    set_axis(IN_MODE(joint, INTERSECTING), 0, v3(x, y, z), __func__);
}

void dJointSetTransmissionAxis2(dJointID joint, dReal x, dReal y, dReal z)
{
    set_axis(IN_MODE(joint, INTERSECTING), 1, v3(x, y, z), __func__);
}

void dJointSetTransmissionAxis(dJointID joint, dReal x, dReal y, dReal z)
{
    transmission *t = IN_MODE(joint, PARALLEL | CHAIN);
    for (int i = 0; i < 2; ++i)
        set_axis(t, i, v3(x, y, z), __func__);
}

static void set_anchor(lode__ode_framed *joint, int i, lode_vec3 v)
{
    joint->anchor[i] = point_in(joint->joint.node[i].body, v);
    capture(joint);
}

SETS_VECTOR(dJointSetTransmissionAnchor1, lode__ode_transmission, set_anchor(j, 0, v))
SETS_VECTOR(dJointSetTransmissionAnchor2, lode__ode_transmission, set_anchor(j, 1, v))
SETS_PARAM(dJointSetTransmissionParam, lode__ode_transmission, lode__ode_set_softness)
TELLS_PARAM(dJointGetTransmissionParam, lode__ode_transmission, lode__ode_get_softness)

/* --- what it tells. Where the wheels do not meet, contacts are their anchors and radii 0. */

static lode_vec3 contact_of(const lode__ode_framed *joint, int i)
{
    lode__ode_teeth teeth;
    const transmission *t = transmission_of(joint);
    return body_of(t, 0) && find_teeth(t, &teeth) ? teeth.contact[i] : lode__ode_anchor(joint, i);
}

static dReal radius_of(const lode__ode_framed *joint, int i)
{
    lode__ode_teeth teeth;
    const transmission *t = transmission_of(joint);
    return t->mode == dTransmissionChainDrive ? t->radius[i]
           : find_teeth(t, &teeth)            ? teeth.radius[i]
                                              : 0;
}

static dReal counted_angle(const lode__ode_framed *joint, int i)
{
    lode__ode_teeth teeth;
    const transmission *t = transmission_of(joint);
    return find_teeth(t, &teeth) ? angle_of(t, &teeth, i) : t->angle[i];
}

TELLS_VECTOR(dJointGetTransmissionContactPoint1, lode__ode_transmission, contact_of(j, 0))
TELLS_VECTOR(dJointGetTransmissionContactPoint2, lode__ode_transmission, contact_of(j, 1))
TELLS_VECTOR(dJointGetTransmissionAnchor1, lode__ode_transmission, lode__ode_anchor(j, 0))
TELLS_VECTOR(dJointGetTransmissionAnchor2, lode__ode_transmission, lode__ode_anchor(j, 1))
TELLS_VECTOR(dJointGetTransmissionAxis1, lode__ode_transmission, axis_of(transmission_of(j), 0))
TELLS_VECTOR(dJointGetTransmissionAxis2, lode__ode_transmission, axis_of(transmission_of(j), 1))
TELLS_NUMBER(dJointGetTransmissionAngle1, lode__ode_transmission, counted_angle(j, 0))
TELLS_NUMBER(dJointGetTransmissionAngle2, lode__ode_transmission, counted_angle(j, 1))
TELLS_NUMBER(dJointGetTransmissionRadius1, lode__ode_transmission, radius_of(j, 0))
TELLS_NUMBER(dJointGetTransmissionRadius2, lode__ode_transmission, radius_of(j, 1))

void dJointGetTransmissionAxis(dJointID joint, dVector3 result)
{
    const transmission *t = IN_MODE(joint, PARALLEL | CHAIN);
    if (t && CHECK_GIVEN(result))
        put_vec(result, axis_of(t, 0));
}

dReal dJointGetTransmissionRatio(dJointID joint)
{
    if (!IS(joint, lode__ode_transmission))
        return 0;
    const lode__ode_framed *j = framed(joint);
    bool is_given = transmission_of(j)->mode == dTransmissionParallelAxes;
    dReal second = is_given || !joint->node[0].body ? 0 : radius_of(j, 1);
    return second > 0 ? radius_of(j, 0) / second : transmission_of(j)->ratio;
}

dReal dJointGetTransmissionBacklash(dJointID joint)
{
    return IS(joint, lode__ode_transmission) ? transmission_of(framed(joint))->backlash : 0;
}
