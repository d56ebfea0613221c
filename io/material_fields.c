/* material_fields.c: see material_fields.h. Files are written in this order. */
#include "io/material_fields.h"

#include <limits.h>
#include <math.h>

static bool is_coefficient(double x)
{
    return x == -1 || (x >= 0 && isfinite(x));
}

static bool is_finite(double x)
{
    return isfinite(x);
}

static bool is_part(double x)
{
    return x >= 0 && x <= 1;
}

static bool is_not_negative(double x)
{
    return x >= 0 && isfinite(x);
}

static bool is_positive(double x)
{
    return x > 0 && isfinite(x);
}

static bool is_number_of_points(double x)
{
    return x >= 1 && x <= INT_MAX && x == floor(x);
}

#define AT(field) offsetof(lode_contact_properties, field)
#define COEFFICIENT is_coefficient, "must be at least 0 and finite, or -1 for infinity"
#define NOT_NEGATIVE is_not_negative, "must be at least 0 and finite"
#define PART is_part, "must be 0 to 1"

const char *const lode__io_sides[LODE_IMMOVABLE_COUNT] = {"none", "material1", "material2"};

const lode__io_field lode__io_material_fields[LODE__IO_FIELDS] = {
    {"material1", LODE__IO_NAME, 1, 1, AT(material1), 0, NULL, NULL},
    {"material2", LODE__IO_NAME, 1, 1, AT(material2), 0, NULL, NULL},
    {"friction", LODE__IO_REALS, 1, 4, AT(friction), AT(friction_count), COEFFICIENT},
    {"friction_rotation", LODE__IO_REALS, 2, 2, AT(friction_rotation), 0, is_finite,
     "must be finite"},
    {"rolling_friction", LODE__IO_REALS, 3, 3, AT(rolling_friction), 0, COEFFICIENT},
    {"bounce", LODE__IO_REALS, 1, 1, AT(bounce), 0, PART},
    {"bounce_velocity", LODE__IO_REALS, 1, 1, AT(bounce_velocity), 0, NOT_NEGATIVE},
    {"force_dependent_slip", LODE__IO_REALS, 1, 4, AT(force_dependent_slip), AT(slip_count),
     NOT_NEGATIVE},
    {"soft_erp", LODE__IO_REALS, 1, 1, AT(soft_erp), 0, PART},
    {"soft_cfm", LODE__IO_REALS, 1, 1, AT(soft_cfm), 0, is_positive, "must be above 0 and finite"},
    {"bump_sound", LODE__IO_NAME, 1, 1, AT(bump_sound), 0, NULL, NULL},
    {"roll_sound", LODE__IO_NAME, 1, 1, AT(roll_sound), 0, NULL, NULL},
    {"slide_sound", LODE__IO_NAME, 1, 1, AT(slide_sound), 0, NULL, NULL},
    {"immovable", LODE__IO_SIDE, 1, 1, AT(immovable), 0, NULL,
     "must be \"none\", \"material1\" or \"material2\""},
    {"max_contacts", LODE__IO_WHOLE, 1, 1, AT(max_contacts), 0, is_number_of_points,
     "must be a whole number, at least 1"},
};
