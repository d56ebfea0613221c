/* hull_mass.c: mass properties of a polyhedron.
 *
 * The solid is the sum of tetrahedra from a point o to the triangles of its faces, signed. With a,
 * b, c from o and d = a . (b x c), one has volume d / 6, first moments d (a + b + c) / 24, and
 * second moments d (S S^T + a a^T + b b^T + c c^T) / 120, S = a + b + c, which is what Mirtich
 * (1996, "Fast and accurate computation of polyhedral mass properties") comes to by way of the
 * divergence theorem. Done twice: the second time o is the centre of mass, so that no moment is a
 * difference of larger ones. */
#include "collide/hull.h"

typedef struct moments {
    double volume;
    lode__double3 first;
    double second[6]; /* xx, yy, zz, xy, xz, yz */
} moments;

static void add_tetrahedron(moments *m, lode__double3 a, lode__double3 b, lode__double3 c)
{
    double d = d3_dot(a, d3_cross(b, c));
    lode__double3 s = d3_add(d3_add(a, b), c);
    m->volume += d / 6;
    m->first = d3_madd(m->first, s, d / 24);
    m->second[0] += d / 120 * (s.x * s.x + a.x * a.x + b.x * b.x + c.x * c.x);
    m->second[1] += d / 120 * (s.y * s.y + a.y * a.y + b.y * b.y + c.y * c.y);
    m->second[2] += d / 120 * (s.z * s.z + a.z * a.z + b.z * b.z + c.z * c.z);
    m->second[3] += d / 120 * (s.x * s.y + a.x * a.y + b.x * b.y + c.x * c.y);
    m->second[4] += d / 120 * (s.x * s.z + a.x * a.z + b.x * b.z + c.x * c.z);
    m->second[5] += d / 120 * (s.y * s.z + a.y * a.z + b.y * b.z + c.y * c.z);
}

static lode__double3 corner(const lode_hull *hull, uint32_t edge, lode__double3 o)
{
    return d3_sub(d3_from(hull->vertices[hull->edges[edge].origin]), o);
}

static moments integrate(const lode_hull *hull, lode__double3 o)
{
    moments m = {0};
    for (uint32_t f = 0; f < hull->face_count; ++f) {
        const lode__hull_face *face = &hull->faces[f];
        lode__double3 first = corner(hull, face->first, o);
        for (uint32_t i = 1; i + 1 < face->count; ++i)
            add_tetrahedron(&m, first, corner(hull, face->first + i, o),
                            corner(hull, face->first + i + 1, o));
    }
    return m;
}

void lode__hull_integrate(lode_hull *hull)
{
    lode__double3 o = d3_from(hull->middle);
    moments m = integrate(hull, o);
    if (m.volume != 0)
        o = d3_madd(o, m.first, 1 / m.volume);
    m = integrate(hull, o);
    const double *s = m.second;
    hull->volume = m.volume;
    hull->center = o;
    hull->inertia[0] = s[1] + s[2];
    hull->inertia[1] = s[0] + s[2];
    hull->inertia[2] = s[0] + s[1];
    hull->inertia[3] = -s[3];
    hull->inertia[4] = -s[4];
    hull->inertia[5] = -s[5];
}

lode_mass lode__mass_hull(lode_real density, const lode_hull *hull)
{
    double times = density;
    lode_mass m = {.mass = (lode_real)(times * hull->volume), .center = d3_to(hull->center)};
    for (int i = 0; i < 6; ++i)
        m.inertia[i] = (lode_real)(times * hull->inertia[i]);
    return m;
}
