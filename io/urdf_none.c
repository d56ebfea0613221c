/* urdf_none.c: what stands for urdf.c where there is no parser of XML. */
#include "lode/setup.h"
#include "lode_io/urdf.h"

static lode_articulation refuse(const char *function, lode_io_robot *out_robot)
{
    if (out_robot)
        *out_robot = (lode_io_robot){0};
    lode_report_error(LODE_ERROR_SYSTEM, function, "", "the library was built without expat");
    return (lode_articulation){0};
}

lode_articulation lode_io_read_urdf(lode_world world, const char *name, const char *text,
                                    size_t size, const lode_io_urdf_options *options,
                                    lode_io_robot *out_robot)
{
    (void)world, (void)name, (void)text, (void)size, (void)options;
    return refuse(__func__, out_robot);
}

lode_articulation lode_io_load_urdf(lode_world world, const char *path,
                                    const lode_io_urdf_options *options, lode_io_robot *out_robot)
{
    (void)world, (void)path, (void)options;
    return refuse(__func__, out_robot);
}
