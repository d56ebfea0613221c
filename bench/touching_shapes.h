/* touching_shapes.h: the solids of a touching pair as Lode's bodies and shapes. */
#ifndef BENCH_TOUCHING_SHAPES_H
#define BENCH_TOUCHING_SHAPES_H

#include "bench/touching.h"
#include "lode/lode.h"

lode_body bench_make_body(lode_world world, bench_form form, const bench_solid *solid);
lode_shape bench_make_shape(lode_body body, bench_form form, const bench_solid *solid,
                            lode_hull *hull);

#endif
