/* mesh_mass.c: the volume, centre and inertia of a closed mesh, exactly.
 *
 * A polynomial's integral over the solid is one over its surface (Mirtich 1996, "Fast and accurate
 * computation of polyhedral mass properties"). Each triangle and the origin span a tetrahedron
 * whose volume has the sign of the triangle's side; over it the integral of a quadratic in the
 * corners is
 *
 *     int x_i x_j dV = V / 20 (sum_k a_k,i a_k,j + s_i s_j),   s = sum of the corners a_k
 *
 * where the fourth corner is the origin and adds nothing. The origin is put at the middle of the
 * mesh's box, so that a mesh far from its frame loses no digits. In double precision. */
#include "collide/mesh.h"

typedef struct integrals {
    double volume, size; /* size: the sum of all products, without their signs */
    double first[3];
    double second[6]; /* xx, yy, zz, xy, xz, yz */
} integrals;

static void take_corner(lode_vec3 v, const double origin[3], double out[3])
{
    out[0] = (double)v.x - origin[0];
    out[1] = (double)v.y - origin[1];
    out[2] = (double)v.z - origin[2];
}

static void add_triangle(integrals *sum, const lode__triangle *t, const double origin[3])
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    double a[3], b[3], c[3], s[3];
    take_corner(t->v[0], origin, a);
    take_corner(t->v[1], origin, b);
    take_corner(t->v[2], origin, c);
    double volume = (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                     a[2] * (b[0] * c[1] - b[1] * c[0])) /
                    6;
    sum->volume += volume;
    for (int i = 0; i < 3; ++i) {
        int k = (i + 1) % 3, m = (i + 2) % 3;
        sum->size += d_abs(a[i]) * (d_abs(b[k] * c[m]) + d_abs(b[m] * c[k])) / 6;
    }
    for (int i = 0; i < 3; ++i) {
        s[i] = a[i] + b[i] + c[i];
        sum->first[i] += volume * s[i] / 4;
    }
    for (int k = 0; k < 6; ++k) {
        int i = row[k], j = column[k];
        sum->second[k] += volume / 20 * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s[i] * s[j]);
    }
}

/* Second moments about the centre, and from these the inertia. */
static void finish(lode__mesh *mesh, const integrals *sum, const double origin[3])
{
    double v = sum->volume, m[3], s[6];
    for (int i = 0; i < 3; ++i) {
        m[i] = sum->first[i] / v;
        mesh->center[i] = origin[i] + m[i];
    }
    for (int i = 0; i < 3; ++i)
        s[i] = sum->second[i] - v * m[i] * m[i];
    s[3] = sum->second[3] - v * m[0] * m[1];
    s[4] = sum->second[4] - v * m[0] * m[2];
    s[5] = sum->second[5] - v * m[1] * m[2];
    double sign = v < 0 ? -1 : 1;
    double trace = s[0] + s[1] + s[2];
    for (int i = 0; i < 3; ++i) {
        mesh->inertia[i] = sign * (trace - s[i]);
        mesh->inertia[i + 3] = -sign * s[i + 3];
    }
    mesh->volume = v;
}

/* Does a volume differ from what rounding makes of none? Six products and their sum err by less
 * than eight units of the last digit of their size, adding up by one more a triangle. */
static bool encloses(const integrals *sum, uint32_t triangles)
{
    return d_abs(sum->volume) > (8 + triangles) * 0x1p-53 * sum->size;
}

void lode__mesh_integrate(lode__mesh *mesh)
{
    integrals sum = {0};
    double origin[3] = {((double)mesh->lower.x + (double)mesh->upper.x) / 2,
                        ((double)mesh->lower.y + (double)mesh->upper.y) / 2,
                        ((double)mesh->lower.z + (double)mesh->upper.z) / 2};
    if (!mesh->info.closed)
        return;
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
        lode__triangle triangle = mesh_triangle(mesh, t);
        if (!(mesh->flags[t] & LODE__TRIANGLE_IGNORED))
            add_triangle(&sum, &triangle, origin);
    }
    if (encloses(&sum, mesh->triangle_count))
        finish(mesh, &sum, origin);
    else
        mesh->info.closed = false; /* a sheet and its back: nothing is inside */
    mesh->info.inverted = mesh->volume < 0;
}
