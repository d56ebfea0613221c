/* tendon_image.c: tendons and mimic joints in snapshots: three pools, behind those of
 * articulations. */
#include "core/math.h"
#include "world/snapshot.h"
#include "world/tendon.h"

void lode__tendons_write(const lode__world *world, lode__writer *out)
{
    lode__image_write(&world->tendons, out);
    lode__image_write(&world->tendon_parts, out);
    lode__image_write(&world->mimics, out);
}

bool lode__tendons_read(lode__articulations_image *image, lode__reader *in)
{
    return lode__image_read(&image->tendons, &lode__tendon_kind, in) &&
           lode__image_read(&image->tendon_parts, &lode__tendon_part_kind, in) &&
           lode__image_read(&image->mimics, &lode__mimic_kind, in);
}

uint64_t lode__tendons_layout(uint64_t seed)
{
    seed = lode__image_layout(&lode__tendon_kind, seed);
    return lode__image_layout(&lode__mimic_kind, lode__image_layout(&lode__tendon_part_kind, seed));
}

bool lode__tendons_fit(const lode__articulations_image *image, const lode__world *world)
{
    return lode__image_fits(&image->tendons, &world->tendons) &&
           lode__image_fits(&image->mimics, &world->mimics);
}

bool lode__tendons_reserve(const lode__articulations_image *image, lode__world *world)
{
    return lode__image_reserve(&image->tendons, &world->tendons) &&
           lode__image_reserve(&image->tendon_parts, &world->tendon_parts) &&
           lode__image_reserve(&image->mimics, &world->mimics);
}

void lode__tendons_restore(const lode__articulations_image *image, lode__world *world)
{
    lode__image_restore(&image->tendons, &world->tendons);
    lode__image_restore(&image->tendon_parts, &world->tendon_parts);
    lode__image_restore(&image->mimics, &world->mimics);
}

/* ---- what is sound */

typedef struct columns {
    const lode__articulations_image *image;
    const char *head, *link;
    const char *tendon, *tendon_numbers, *part, *part_numbers, *mimic, *mimic_numbers;
    uint32_t tendons, parts, mimics; /* seen so far */
} columns;

static bool all_finite(const lode_real *x, int count)
{
    for (int i = 0; i < count; ++i)
        if (!r_finite(x[i]))
            return false;
    return true;
}

static bool line_is_sound(const lode__tendon_line *line)
{
    return r_finite(line->rest) && line->lo == line->lo && line->hi == line->hi &&
           r_finite(line->impulse);
}

/* A link of the articulation; and an axis. */
static bool link_is_sound(const columns *from, uint32_t articulation, uint32_t link, uint32_t axis,
                          lode__link_tie *out)
{
    if (axis >= LODE_LINK_AXES || !lode__image_has(&from->image->links, link))
        return false;
    LODE__LOAD(from->link, link, out);
    return out->articulation == articulation;
}

/* The part before it, which comes earlier in the same list; of a fixed tendon on the link that
 * holds this one. */
static bool parent_is_sound(const columns *from, const lode__tendon_part_tie *part, uint32_t type,
                            const lode__link_tie *link)
{
    lode__tendon_part_tie parent;
    if (part->index == 0)
        return part->parent == LODE__NONE;
    if (!lode__image_has(&from->image->tendon_parts, part->parent))
        return false;
    LODE__LOAD(from->part, part->parent, &parent);
    return parent.tendon == part->tendon && parent.index < part->index &&
           (type == LODE_TENDON_SPATIAL || parent.link == link->parent);
}

static bool parts_are_sound(columns *from, uint32_t tendon, const lode__tendon_tie *tie)
{
    uint32_t at = tie->first_part, children = 0;
    for (uint32_t i = 0; i < tie->part_count; ++i) {
        lode__tendon_part_tie part;
        lode__tendon_part_numbers numbers;
        lode__link_tie link;
        if (!lode__image_has(&from->image->tendon_parts, at))
            return false;
        LODE__LOAD(from->part, at, &part);
        LODE__LOAD(from->part_numbers, at, &numbers);
        if (part.tendon != tendon || part.index != i ||
            !link_is_sound(from, tie->articulation, part.link, part.axis, &link) ||
            !parent_is_sound(from, &part, tie->type, &link) || !v3_finite(numbers.point) ||
            !r_finite(numbers.coefficient) || !r_finite(numbers.reciprocal) ||
            !line_is_sound(&numbers.line))
            return false;
        children += part.child_count;
        at = part.next;
        ++from->parts;
    }
    return at == LODE__NONE && children + (tie->part_count > 0) == tie->part_count;
}

static bool tendons_are_sound(columns *from, uint32_t articulation, uint32_t first)
{
    for (uint32_t at = first; at != LODE__NONE;) {
        lode__tendon_tie tie;
        lode__tendon_numbers n;
        if (!lode__image_has(&from->image->tendons, at) ||
            ++from->tendons > from->image->tendons.count)
            return false;
        LODE__LOAD(from->tendon, at, &tie);
        LODE__LOAD(from->tendon_numbers, at, &n);
        if (tie.articulation != articulation || tie.type >= LODE_TENDON_TYPE_COUNT ||
            !(n.stiffness >= 0 && n.damping >= 0 && n.limit_stiffness >= 0) ||
            !all_finite(&n.stiffness, 4) || !line_is_sound(&n.line) ||
            !parts_are_sound(from, at, &tie))
            return false;
        at = tie.next;
    }
    return true;
}

static bool mimics_are_sound(columns *from, uint32_t articulation, uint32_t first)
{
    for (uint32_t at = first; at != LODE__NONE;) {
        lode__mimic_tie tie;
        lode__mimic_numbers numbers;
        lode__link_tie link;
        if (!lode__image_has(&from->image->mimics, at) ||
            ++from->mimics > from->image->mimics.count)
            return false;
        LODE__LOAD(from->mimic, at, &tie);
        LODE__LOAD(from->mimic_numbers, at, &numbers);
        if (tie.articulation != articulation || !all_finite(&numbers.gear_ratio, 5) ||
            !link_is_sound(from, articulation, tie.link[0], tie.axis[0], &link) ||
            !link_is_sound(from, articulation, tie.link[1], tie.axis[1], &link))
            return false;
        at = tie.next;
    }
    return true;
}

/* Each is in the list of its articulation, which ends: none is met twice. */
bool lode__tendons_are_sound(const lode__articulations_image *image)
{
    const lode__pool_image *of = &image->articulations;
    columns from = {image,
                    LODE__COLUMN(articulation, of, head),
                    LODE__COLUMN(link, &image->links, tie),
                    LODE__COLUMN(tendon, &image->tendons, tie),
                    LODE__COLUMN(tendon, &image->tendons, numbers),
                    LODE__COLUMN(tendon_part, &image->tendon_parts, tie),
                    LODE__COLUMN(tendon_part, &image->tendon_parts, numbers),
                    LODE__COLUMN(mimic, &image->mimics, tie),
                    LODE__COLUMN(mimic, &image->mimics, numbers),
                    0,
                    0,
                    0};
    for (uint32_t a = lode__image_next(of, 0); a < of->end; a = lode__image_next(of, a + 1)) {
        lode__articulation_head head;
        LODE__LOAD(from.head, a, &head);
        if (!tendons_are_sound(&from, a, head.first_tendon) ||
            !mimics_are_sound(&from, a, head.first_mimic))
            return false;
    }
    return from.tendons == image->tendons.count && from.parts == image->tendon_parts.count &&
           from.mimics == image->mimics.count;
}
