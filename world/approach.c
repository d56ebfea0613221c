/* approach.c: see approach.h. */
#include "world/approach.h"

#include "solver/state.h"
#include "world/world.h"

/* Of the way by which an inner part is too near: how much it goes back in a step. */
#define RETREAT 0.2

/* A body at the time of an event, as an impulse at a place meets it. */
typedef struct struck {
    lode__velocity *velocity;      /* null: it stands still */
    lode__double3 linear, angular; /* at which it goes on its course, m/s and rad/s */
    lode__inv_mass mass;
    lode__double3 arm; /* from its centre of mass to the place */
} struck;

static struck struck_at(const lode__ways *ways, int32_t line, double share, lode__double3 place)
{
    const lode__track *track = lode__ways_track(ways, line);
    const lode__course *course = &track->course;
    struck s = {.velocity = &ways->lines->velocity[line],
                .arm = d3_sub(place, course_place(course, share))};
    s.linear = d3_from(s.velocity->linear);
    s.angular = d3_from(s.velocity->angular);
    if (!track->changed) {
        s.linear = d3_scale(course->by, 1 / (double)ways->step->dt);
        s.angular = d3_scale(course->axis, course->spin / (double)ways->step->dt);
    }
    if (line > 0)
        s.mass = inv_mass_at(BODY(ways->world, local, ways->lines->slot[line]),
                             lode__course_at(course, share).rotation);
    return s;
}

/* How fast a place goes along n. */
static double along(lode__double3 linear, lode__double3 angular, lode__double3 arm, lode__double3 n)
{
    return d3_dot(n, d3_add(linear, d3_cross(angular, arm)));
}

/* How fast a's place leaves b's along n: by their velocities or by their courses, the slower. A
 * course turns by less than the velocity does where a body turns far in a step. */
static double parting(const struck *a, const struck *b, lode__double3 n)
{
    double speed = 0;
    if (a->velocity)
        speed += along(d3_from(a->velocity->linear), d3_from(a->velocity->angular), a->arm, n);
    if (b->velocity)
        speed -= along(d3_from(b->velocity->linear), d3_from(b->velocity->angular), b->arm, n);
    double on_courses = along(a->linear, a->angular, a->arm, n) -
                        along(b->linear, b->angular, b->arm, n);
    return d_min(speed, on_courses);
}

/* What an impulse of 1 along n changes of the angular velocity. */
static lode__double3 turned_by(const struck *s, lode__double3 n)
{
    const lode__inv_mass *i = &s->mass;
    lode__double3 t = d3_cross(s->arm, n);
    return d3((double)i->xx * t.x + (double)i->xy * t.y + (double)i->xz * t.z,
              (double)i->xy * t.x + (double)i->yy * t.y + (double)i->yz * t.z,
              (double)i->xz * t.x + (double)i->yz * t.y + (double)i->zz * t.z);
}

/* How much the place gains along n by an impulse of 1 along n. */
static double gain_along(const struck *s, lode__double3 n)
{
    return (double)s->mass.inv_mass + d3_dot(d3_cross(turned_by(s, n), s->arm), n);
}

static void push(struck *s, lode__double3 n, double impulse)
{
    lode__velocity *v = s->velocity;
    if (!(s->mass.inv_mass > 0))
        return;
    lode__double3 spin = d3_madd(d3_from(v->angular), turned_by(s, n), impulse);
    v->linear = d3_to(d3_madd(d3_from(v->linear), n, impulse * (double)s->mass.inv_mass));
    v->angular = d3_to(spin);
}

void lode__lose_approach(const lode__ways *ways, int32_t line, int32_t other,
                         const lode__impact_event *event)
{
    const lode__impact_hit *hit = &event->hit;
    const lode__course *course = &lode__ways_track(ways, line)->course;
    lode__double3 place = d3_add(course_place(course, hit->share), hit->at);
    struck a = struck_at(ways, line, hit->share, place), b = {0};
    if (other)
        b = struck_at(ways, other, hit->share, place);
    if (event->one_way)
        b.mass = (lode__inv_mass){0};
    double speed = parting(&a, &b, hit->normal);
    double gain = gain_along(&a, hit->normal) + gain_along(&b, hit->normal);
    double wanted = RETREAT * hit->lack / (double)ways->step->dt;
    if (!(speed < wanted) || !(gain > 0))
        return;
    push(&a, hit->normal, (wanted - speed) / gain);
    push(&b, hit->normal, (speed - wanted) / gain);
}
