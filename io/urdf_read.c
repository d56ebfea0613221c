/* urdf_read.c: URDF out of XML. The parser (expat) tells of tags one after another, with the line
 * of each; what one means depends on the place where it stands (urdf_elements.c). Places nest no
 * deeper than the table says: all others are skipped. */
#include "io/shown.h"
#include "io/urdf_elements.h"

#include <expat.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 6 };

/* An element that is open. */
typedef struct level {
    lode__urdf_place place;
    const lode__urdf_element *element;
    int line;
    uint32_t seen; /* which elements of the table it has had within */
} level;

typedef struct reader {
    lode__urdf *u;
    XML_Parser parser;
    level levels[DEEPEST];
    int depth;   /* of the last level */
    int skipped; /* how many elements are open that are not read */
    bool failed; /* memory is wanting */
} reader;

void lode__urdf_fault(lode__urdf *u, int line, const char *format, ...)
{
    if (u->fault[0])
        return;
    va_list values;
    va_start(values, format);
    vsnprintf(u->fault, sizeof u->fault, format, values);
    va_end(values);
    u->fault_line = line;
    u->status = LODE_ERROR_ARGUMENT;
}

static int line_of(XML_Size line)
{
    return line < INT_MAX ? (int)line : INT_MAX;
}

static void skip(reader *r, const char *name)
{
    lode_io_urdf_skipped *skipped = &r->u->skipped;
    const struct {
        const char *name;
        int *count;
    } kinds[] = {{"visual", &skipped->visuals}, {"material", &skipped->materials},
                 {"sensor", &skipped->sensors}, {"transmission", &skipped->transmissions},
                 {"gazebo", &skipped->gazebos}, {name, &skipped->others}};
    int i = 0;
    while (strcmp(kinds[i].name, name) != 0)
        ++i;
    ++*kinds[i].count;
    r->skipped = 1;
}

static void enter(reader *r, const lode__urdf_element *element, const lode__urdf_tag *tag)
{
    uint32_t bit = 1u << (element - lode__urdf_elements);
    level *top = &r->levels[r->depth];
    if (top->seen & bit && element->times != LODE__URDF_MANY)
        lode__urdf_fault(r->u, tag->line, "%s: is there twice", tag->name);
    top->seen |= bit;
    r->levels[++r->depth] = (level){element->inside, element, tag->line, 0};
    element->begin(tag);
}

static void open_tag(reader *r, const lode__urdf_tag *tag)
{
    const char *name = tag->name;
    int i = 0;
    while (i < LODE__URDF_ELEMENTS && (lode__urdf_elements[i].within != r->levels[r->depth].place ||
                                       strcmp(lode__urdf_elements[i].name, name) != 0))
        ++i;
    if (r->skipped > 0)
        ++r->skipped;
    else if (i < LODE__URDF_ELEMENTS)
        enter(r, &lode__urdf_elements[i], tag);
    else if (r->depth > 0)
        skip(r, name);
    else
        lode__urdf_fault(r->u, tag->line, "robot: must be the root element, and not %s",
                         lode__io_show(name, strlen(name)).text);
}

static void leave(reader *r)
{
    const level *top = &r->levels[r->depth--];
    for (int i = 0; i < LODE__URDF_ELEMENTS; ++i) {
        const lode__urdf_element *element = &lode__urdf_elements[i];
        if (element->within == top->place && element->times == LODE__URDF_ONCE &&
            !(top->seen & 1u << i))
            lode__urdf_fault(r->u, top->line, "%s: %s is missing", top->element->name,
                             element->name);
    }
    lode__urdf_tag tag = {r->u, top->element->name, NULL, top->line};
    if (top->element->end && !r->u->fault[0])
        top->element->end(&tag);
}

static void close_tag(reader *r, const lode__urdf_tag *tag)
{
    (void)tag;
    if (r->skipped > 0)
        --r->skipped;
    else
        leave(r);
}

/* Does what a tag asks for, and stops the parser where that fails. A jump out of it would lose what
 * it has in hand, so memory that is wanting leads no further than here. */
static void act(reader *r, void (*what)(reader *r, const lode__urdf_tag *tag),
                const lode__urdf_tag *tag)
{
    jmp_buf here, *outer = r->u->memory->out;
    if (r->failed || r->u->fault[0])
        return;
    r->u->memory->out = &here;
    if (setjmp(here) == 0)
        what(r, tag);
    else
        r->failed = true;
    r->u->memory->out = outer;
    if (r->failed || r->u->fault[0])
        XML_StopParser(r->parser, XML_FALSE);
}

static void XMLCALL begin(void *data, const char *name, const char **attributes)
{
    reader *r = data;
    lode__urdf_tag tag = {r->u, name, attributes, line_of(XML_GetCurrentLineNumber(r->parser))};
    act(r, open_tag, &tag);
}

static void XMLCALL end(void *data, const char *name)
{
    (void)name;
    act(data, close_tag, NULL);
}

void lode__urdf_read(lode__urdf *u, const char *text, size_t size)
{
    static const XML_Memory_Handling_Suite memory = {malloc, realloc, free};
    reader r = {.u = u, .parser = XML_ParserCreate_MM(NULL, &memory, NULL)};
    if (!r.parser)
        longjmp(*u->memory->out, 1);
    u->parser = r.parser;
    if (size > 1 << 30) {
        lode__urdf_fault(u, 1, "the text has more than 2^30 bytes");
        return;
    }
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, begin, end);
    enum XML_Status status = XML_Parse(r.parser, text, (int)size, XML_TRUE);
    enum XML_Error error = XML_GetErrorCode(r.parser);
    if (r.failed || (status != XML_STATUS_OK && error == XML_ERROR_NO_MEMORY))
        longjmp(*u->memory->out, 1);
    if (status != XML_STATUS_OK)
        lode__urdf_fault(u, line_of(XML_GetCurrentLineNumber(r.parser)), "the text is no XML: %s",
                         XML_ErrorString(error));
}

void lode__urdf_end(lode__urdf *u)
{
    if (u->parser)
        XML_ParserFree(u->parser);
    u->parser = NULL;
}
