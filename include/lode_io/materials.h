/* materials.h: tables of contact properties as JSON; of the library lode-io (lode-io-double).
 *
 *     {
 *         "contact_properties": [
 *             {"material1": "rubber", "material2": "ice", "friction": [0.1, 0.4], "bounce": 0.3},
 *             {"material1": "rubber", "friction": -1}
 *         ]
 *     }
 *
 * Keys are the fields of lode_contact_properties, docs/materials.md has them with their ranges;
 * what is left out has its default. Numbers read alike in every locale, and what was written reads
 * back to the same bits.
 *
 * Failures go to the error hook, once each. Those of the text have the argument "NAME:LINE", the
 * line counted from 1, and a message that begins with the key: "materials.json:12", "bounce must be
 * 0 to 1". Whatever fails leaves the world, and the file, as they were. */
#ifndef LODE_IO_MATERIALS_H
#define LODE_IO_MATERIALS_H

#include "../lode/types.h"

#if defined(LODE_STATIC_LIBRARY)
#define LODE_IO_API
#elif defined(_WIN32) && defined(LODE_IO_BUILD)
#define LODE_IO_API __declspec(dllexport)
#elif defined(_WIN32)
#define LODE_IO_API __declspec(dllimport)
#else
#define LODE_IO_API __attribute__((visibility("default")))
#endif

LODE_EXTERN_C_BEGIN

/* Replaces the world's table by the one in `text`, of `size` bytes, of any origin; see
 * lode_world_set_contact_properties(). `name` stands for the text in messages. LODE_ERROR_ARGUMENT
 * for a text that is no JSON or has a bad value, LODE_ERROR_HANDLE, LODE_ERROR_MEMORY. */
LODE_IO_API lode_status lode_io_read_materials(lode_world world, const char *name, const char *text,
                                               size_t size);

/* The same of a file, whose path stands for it in messages. LODE_ERROR_SYSTEM when it cannot be
 * read. */
LODE_IO_API lode_status lode_io_load_materials(lode_world world, const char *path);

/* Returns how many bytes the world's table has as text, 0 on failure, and writes them, without a
 * zero at the end, if `size` is as many or more. Call with `size` 0 and null to measure.
 * LODE_ERROR_ARGUMENT when a name in the table is not UTF-8, LODE_ERROR_HANDLE,
 * LODE_ERROR_MEMORY. */
LODE_IO_API size_t lode_io_write_materials(lode_world world, char *out_text, size_t size);

/* Writes the world's table beside the file and then takes its place. Fails as the one above does,
 * and with LODE_ERROR_SYSTEM when the file cannot be written. */
LODE_IO_API lode_status lode_io_save_materials(lode_world world, const char *path);

LODE_EXTERN_C_END

#endif
