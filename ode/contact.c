/* contact.c: contact joints: each is a point of contact of the steps that it lives through.
 *
 * The normal points into body 1. Friction acts along fdir1, or, where none is given, along the
 * directions that dPlaneSpace() finds across the normal, and the limit is a force unless an
 * approximation asks for a multiple of the normal force. So does friction against rolling, whose
 * limit is a moment or a length times the normal force. */
#include "ode/contact.h"

#include "ode/joint.h"
#include "ode/memory.h"
#include "ode/odemath.h"
#include "ode/working_memory.h"

#include <string.h>

/* Most contacts say no more than what comes first, and end there: thousands are written, read and
 * forgotten in each step. */
typedef struct contact_joint {
    struct dxJoint joint;
    lode_vec3 position, normal;
    dReal depth, mu, mu2;
    int mode;
    bool between_geoms;
    dContact whole; /* not there where is_usual() */
} contact_joint;

const lode__ode_joint_type lode__ode_contact = {
    .type = dJointTypeContact, .name = "contact", .size = sizeof(contact_joint)};

/* It says nothing beyond friction by the world's law, in any directions. */
static bool is_usual(int mode)
{
    return (mode & ~dContactMu2) == dContactApprox1_1 + dContactApprox1_2 ||
           (mode & ~dContactMu2) == dContactApprox1;
}

static contact_joint *contact_of(dJointID joint)
{
    return (contact_joint *)(void *)joint;
}

/* Of a usual one nothing else matters. */
dContact lode__ode_contact_of(dJointID joint)
{
    const contact_joint *own = contact_of(joint);
    if (!is_usual(own->mode))
        return own->whole;
    dContact contact = {
        .surface = {.mode = own->mode, .mu = own->mu, .mu2 = own->mu2},
        .geom = {.depth = own->depth},
    };
    put_vec(contact.geom.pos, own->position);
    put_vec(contact.geom.normal, own->normal);
    return contact;
}

static bool is_place(const dContactGeom *geom)
{
    lode_vec3 normal = vec_of(geom->normal);
    return v3_finite(vec_of(geom->pos)) && v3_finite(normal) && !v3_is_zero(normal) &&
           r_finite(geom->depth);
}

dJointID dJointCreateContact(dWorldID world, dJointGroupID group, const dContact *contact)
{
    if (!CHECK_GIVEN(contact) ||
        !CHECK(is_place(&contact->geom), "contact", "must be finite, and its normal not zero"))
        return NULL;
    const bool usual = is_usual(contact->surface.mode);
    size_t size = usual && group ? offsetof(contact_joint, whole) : sizeof(contact_joint);
    dJointID joint = lode__ode_joint_create_in(world, group, &lode__ode_contact, size);
    if (!joint)
        return NULL;
    contact_joint *own = contact_of(joint);
    own->position = vec_of(contact->geom.pos);
    own->normal = vec_of(contact->geom.normal);
    own->depth = contact->geom.depth;
    own->mu = contact->surface.mu;
    own->mu2 = contact->surface.mode & dContactMu2 ? contact->surface.mu2 : contact->surface.mu;
    own->mode = contact->surface.mode;
    own->between_geoms = contact->geom.g1 && contact->geom.g2;
    if (!usual)
        own->whole = *contact;
    return joint;
}

/* --- what a surface says */

/* What a surface cannot be counts as the nearest that it can; NaN as 0. */
static dReal at_least_0(dReal x)
{
    return r_max(x, 0);
}
static dReal share(dReal x)
{
    return r_min(r_max(x, 0), 1);
}

/* The world's own law is the pyramid, and contacts that keep to it are the cheapest. */
static void set_friction(const dSurfaceParameters *s, lode_contact_def *out)
{
    const int pyramid[2] = {dContactApprox1_1, dContactApprox1_2};
    out->friction[0] = at_least_0(s->mu);
    out->friction[1] = at_least_0(s->mode & dContactMu2 ? s->mu2 : s->mu);
    for (int i = 0; i < 2; ++i)
        out->law[i] = s->mode & pyramid[i] ? LODE_LAW_WORLD : LODE_LAW_BOX;
}

/* About the directions of friction and about the normal. */
static void set_rolling(const dSurfaceParameters *s, lode_contact_def *out)
{
    const int lengths[3] = {dContactApprox1_1, dContactApprox1_2, dContactApprox1_N};
    const dReal own[3] = {s->rho, s->rho2, s->rhoN};
    if (!(s->mode & dContactRolling))
        return;
    for (int i = 0; i < 3; ++i) {
        out->rolling[i] = at_least_0(s->mode & dContactAxisDep ? own[i] : s->rho);
        out->rolling_is_moment[i] = !(s->mode & lengths[i]);
    }
}

static void set_surface(const dSurfaceParameters *s, lode_contact_def *out)
{
    if (s->mode & dContactBounce) {
        out->restitution = share(s->bounce);
        out->bounce_speed = at_least_0(s->bounce_vel);
    }
    out->soft_erp = s->mode & dContactSoftERP ? share(s->soft_erp) : -1;
    out->soft_cfm = s->mode & dContactSoftCFM ? r_max(s->soft_cfm, LODE__ODE_LEAST_CFM) : -1;
    out->motion[0] = s->mode & dContactMotion1 ? s->motion1 : 0;
    out->motion[1] = s->mode & dContactMotion2 ? s->motion2 : 0;
    out->motion_normal = s->mode & dContactMotionN ? s->motionN : 0;
    out->slip[0] = s->mode & dContactSlip1 ? at_least_0(s->slip1) : 0;
    out->slip[1] = s->mode & dContactSlip2 ? at_least_0(s->slip2) : 0;
}

/* Across the normal, as the pool's body a has it, where the program says nothing. */
static lode_vec3 first_direction(lode_vec3 normal)
{
    dVector3 n = {normal.x, normal.y, normal.z}, p, q;
    dPlaneSpace(n, p, q);
    return vec_of(p);
}

/* A body sinks until it is at rest, and is pushed out from as deep as the layer is thick on. Not on
 * points that the program has made itself: their depth may not grow as the body sinks. */
static dReal depth_of(const contact_joint *joint, dReal layer, dReal rest)
{
    dReal depth = r_max(joint->depth, 0);
    rest = joint->between_geoms ? rest : 0;
    return depth < rest ? depth - rest : r_max(depth - r_max(layer, rest), 0);
}

static lode_vec3 normal_of(const contact_joint *joint)
{
    return joint->joint.reversed ? v3_neg(joint->normal) : joint->normal;
}

/* All but its bodies. */
static void describe(const contact_joint *joint, dReal depth, lode_contact_def *out)
{
    const dContact *contact = &joint->whole;
    *out = lode_contact_def_default();
    out->position = joint->position;
    out->normal = normal_of(joint);
    out->depth = depth;
    out->direction = contact->surface.mode & dContactFDir1 ? vec_of(contact->fdir1)
                                                           : first_direction(out->normal);
    set_friction(&contact->surface, out);
    set_rolling(&contact->surface, out);
    set_surface(&contact->surface, out);
}

/* --- from joints to points */

/* Those of a step, one after another. */
typedef struct bringing {
    lode__world *lode;
    dReal layer, rest;
    lode_contact_def *def; /* room for one */
    lode_vec3 given;       /* normal of the last usual joint */
    lode_vec3 normal;      /* the same, of unit length, and what */
    lode_vec3 tangent;     /* dPlaneSpace() makes of it */
    lode__made_axes axes;  /* of the last other one */
} bringing;

static bool same_bits(lode_vec3 a, lode_vec3 b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* As the normals are that dCollide() finds. */
static bool is_unit(lode_vec3 v)
{
    return r_abs(v3_dot(v, v) - 1) <= 8 * REAL_EPSILON;
}

/* By what describe() would say of it, but for rounding. Points of one contact have the same normal
 * as a rule. */
static void fill_usual(const contact_joint *joint, dReal depth, bringing *b, lode__made_point *out)
{
    lode_vec3 given = normal_of(joint);
    if (!same_bits(given, b->given)) {
        b->given = given;
        b->normal = is_unit(given) ? given : v3_normalize_or(given, v3(0, 0, 1));
        b->tangent = first_direction(b->normal);
    }
    out->position = joint->position;
    out->normal = b->normal;
    out->tangent = b->tangent;
    out->depth = depth;
    out->friction[0] = r_min(at_least_0(joint->mu), REAL_MAX);
    out->friction[1] = r_min(at_least_0(joint->mu2), REAL_MAX);
    out->restitution = 0;
    out->usual = true;
}

static bool fill(const contact_joint *joint, bringing *b, lode__made_point *out)
{
    const lode__ode_node *node = joint->joint.node;
    dReal depth = depth_of(joint, b->layer, b->rest);
    if (is_usual(joint->mode)) {
        fill_usual(joint, depth, b, out);
    } else {
        describe(joint, depth, b->def);
        if (lode__made_values(b->def, &b->axes, out, "dWorldStep"))
            return false;
    }
    lode__made_join(b->lode, node[0].body->slot, node[1].body ? node[1].body->slot : LODE__NONE,
                    out);
    return true;
}

/* --- all of them */

static bool counts(dJointID joint)
{
    dBodyID a = joint->node[0].body, b = joint->node[1].body;
    return !joint->disabled && a &&
           ((a->enabled && !a->kinematic) || (b && b->enabled && !b->kinematic));
}

/* The share of the last step's impulses that solvers that sweep begin with. The slow modes of a
 * stack come nearer by less in all sweeps of a step than the share of the error that a step
 * corrects; impulses that are carried over whole add that up, and the stack swings without end.
 * With 0.9 ten flat boxes do, with this they stand still. */
#define CARRIED ((dReal)0.8)

/* Where bodies still come nearer or go apart by more than they fall in so many steps, the
 * iterations have not sufficed for an impact: what they have found is no part of what the next step
 * needs, and would throw the bodies back. */
#define AT_REST ((dReal)4)

void lode__ode_contacts_fade(dWorldID world, bool fades, dReal h)
{
    world->lode->made.fading = (lode__made_fading){
        .fades = fades,
        .share = CARRIED,
        .rest_speed = AT_REST * h * v3_length(vec_of(world->gravity)),
    };
}

enum { AHEAD = 4 }; /* joints */

/* Returns the next joint. */
static dJointID fetch_bodies(dJointID joint)
{
    for (int i = 0; joint && i < 2; ++i)
        if (joint->node[i].body)
            __builtin_prefetch(&joint->node[i].body->slot);
    return joint ? joint->next : NULL;
}

bool lode__ode_contacts_bring(dWorldID world, dReal rest_depth)
{
    lode__made_contacts *made = &world->lode->made;
    bringing b = {.lode = world->lode, .layer = world->surface_layer, .rest = rest_depth};
    world->tells_contacts = false;
    if (!world->contacts)
        return true;
    b.def = lode__ode_working_take(world, sizeof *b.def);
    if (!b.def || !lode__made_reserve(made, world->contact_count))
        return false;
    dJointID ahead = world->contacts;
    for (int i = 0; i < AHEAD && ahead; ++i)
        ahead = ahead->next;
    for (dJointID joint = world->contacts; joint; joint = joint->next) {
        ahead = fetch_bodies(ahead);
        if (!counts(joint))
            continue;
        world->tells_contacts |= joint->feedback != NULL;
        if (!fill(contact_of(joint), &b, &made->points[made->count]))
            return false;
        ++made->count;
    }
    if (world->tells_contacts)
        lode__ode_contacts_note(world);
    return true;
}

bool lode__ode_contact_place(dJointID joint, lode_vec3 *out)
{
    if (joint->type != &lode__ode_contact || !counts(joint))
        return false;
    *out = contact_of(joint)->position;
    return true;
}
