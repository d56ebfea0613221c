/* urdf_elements.h: the elements of URDF that are read: where each may stand and what it does. */
#ifndef LODE_IO_URDF_ELEMENTS_H
#define LODE_IO_URDF_ELEMENTS_H

#include "io/urdf_model.h"

typedef enum lode__urdf_place {
    LODE__URDF_DOCUMENT,
    LODE__URDF_ROBOT,
    LODE__URDF_LINK,
    LODE__URDF_INERTIAL,
    LODE__URDF_COLLISION,
    LODE__URDF_GEOMETRY,
    LODE__URDF_JOINT,
    LODE__URDF_LEAF /* all within is skipped */
} lode__urdf_place;

typedef struct lode__urdf_tag {
    lode__urdf *u;
    const char *name;
    const char **attributes; /* names and values in turn, and null; null at its end */
    int line;                /* where it begins */
} lode__urdf_tag;

typedef struct lode__urdf_element {
    lode__urdf_place within;
    const char *name;
    lode__urdf_place inside;
    enum { LODE__URDF_MAYBE, LODE__URDF_ONCE, LODE__URDF_MANY } times; /* at most once, ... */
    void (*begin)(const lode__urdf_tag *tag);
    void (*end)(const lode__urdf_tag *tag); /* null: nothing is left to do */
} lode__urdf_element;

enum { LODE__URDF_ELEMENTS = 22 };

extern const lode__urdf_element lode__urdf_elements[LODE__URDF_ELEMENTS];

#endif
