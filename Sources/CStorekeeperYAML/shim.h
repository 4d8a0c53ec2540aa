// The parts of libyaml (0.2.2 or later) that Swift needs. A parser and its event lie on the heap behind one pointer,
// because Swift may move a struct and libyaml keeps the address of its parser.
#ifndef CYAML_SHIM_H
#define CYAML_SHIM_H

#include <stddef.h>
#include <stdlib.h>
#include <yaml.h>

struct cyaml_reader {
  yaml_parser_t parser;
  yaml_event_t event;
  int has_event;
};

// A reader of the bytes, which have to outlive it; NULL where no memory can be had. The encoding is UTF-8:
// libyaml would otherwise guess UTF-16 from the first bytes.
static inline struct cyaml_reader *cyaml_open(const unsigned char *bytes, size_t count) {
  struct cyaml_reader *reader = (struct cyaml_reader *)calloc(1, sizeof(*reader));
  if (reader == NULL) return NULL;
  if (!yaml_parser_initialize(&reader->parser)) {
    free(reader);
    return NULL;
  }
  yaml_parser_set_encoding(&reader->parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&reader->parser, bytes, count);
  return reader;
}

static inline void cyaml_drop_event(struct cyaml_reader *reader) {
  if (reader->has_event) yaml_event_delete(&reader->event);
  reader->has_event = 0;
}

// Parses the next event, which is valid until the next call. False for an error.
static inline int cyaml_next(struct cyaml_reader *reader) {
  cyaml_drop_event(reader);
  reader->has_event = yaml_parser_parse(&reader->parser, &reader->event) != 0;
  return reader->has_event;
}

static inline void cyaml_close(struct cyaml_reader *reader) {
  cyaml_drop_event(reader);
  yaml_parser_delete(&reader->parser);
  free(reader);
}

static inline yaml_event_type_t cyaml_type(const struct cyaml_reader *reader) {
  return reader->event.type;
}

// The line of the event, from 0.
static inline size_t cyaml_line(const struct cyaml_reader *reader) {
  return reader->event.start_mark.line;
}

static inline int cyaml_has_anchor(const struct cyaml_reader *reader) {
  switch (reader->event.type) {
  case YAML_SCALAR_EVENT: return reader->event.data.scalar.anchor != NULL;
  case YAML_SEQUENCE_START_EVENT: return reader->event.data.sequence_start.anchor != NULL;
  case YAML_MAPPING_START_EVENT: return reader->event.data.mapping_start.anchor != NULL;
  default: return 0;
  }
}

static inline int cyaml_has_tag(const struct cyaml_reader *reader) {
  switch (reader->event.type) {
  case YAML_SCALAR_EVENT: return reader->event.data.scalar.tag != NULL;
  case YAML_SEQUENCE_START_EVENT: return reader->event.data.sequence_start.tag != NULL;
  case YAML_MAPPING_START_EVENT: return reader->event.data.mapping_start.tag != NULL;
  default: return 0;
  }
}

// Whether the document that the event starts has directives of tags.
static inline int cyaml_has_tag_directives(const struct cyaml_reader *reader) {
  return reader->event.type == YAML_DOCUMENT_START_EVENT
    && reader->event.data.document_start.tag_directives.start
      != reader->event.data.document_start.tag_directives.end;
}

// The text of a scalar, its length, and whether it has no quotation marks and is no block.
static inline const unsigned char *cyaml_text(const struct cyaml_reader *reader) {
  return reader->event.data.scalar.value;
}
static inline size_t cyaml_text_length(const struct cyaml_reader *reader) {
  return reader->event.data.scalar.length;
}
static inline int cyaml_is_plain(const struct cyaml_reader *reader) {
  return reader->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

// The error: its type, libyaml's constant text for it (which quotes nothing of the input) or NULL, and its
// place, which is a line from 0, or for a reader error an offset in bytes.
static inline yaml_error_type_t cyaml_error(const struct cyaml_reader *reader) {
  return reader->parser.error;
}
static inline const char *cyaml_problem(const struct cyaml_reader *reader) {
  return reader->parser.problem;
}
static inline size_t cyaml_problem_line(const struct cyaml_reader *reader) {
  return reader->parser.problem_mark.line;
}
static inline size_t cyaml_problem_offset(const struct cyaml_reader *reader) {
  return reader->parser.problem_offset;
}

#endif
