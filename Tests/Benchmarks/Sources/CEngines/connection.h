// One connection, of any engine.
#ifndef CONNECTION_H
#define CONNECTION_H

#include <stddef.h>

#include "works.h"

typedef struct Connection Connection;

// The texts of one transaction's own values.
typedef struct {
  char id[24];
  char account[40];
  char membership[24];
  char event[64];
  char purchase[40];
  char moment[24];
  const char *receipt;
} Texts;

Connection *connect_sqlite(const char *path);
Connection *connect_postgres(const char *connection);
Connection *connect_mariadb(const char *url);

struct Connection {
  void (*close)(Connection *);
  int (*script)(Connection *, const char *sql);
  char *(*rows)(Connection *, const char *sql, const char *const *values, int count);
  // One transaction with all statements of a work; 1 on success.
  int (*transact)(Connection *, int work, const Texts *texts);
  // Whether transactions read what decides about their writes.
  int decides;
};

// What a value is as text; NULL for none.
static inline const char *value_text(const Value *value, const Texts *texts) {
  switch (value->kind) {
    case '#': return texts->id;
    case '@': return texts->account;
    case 'm': return texts->membership;
    case 'r': return texts->receipt;
    case 'e': return texts->event;
    case 'k': return texts->purchase;
    case 'd': return texts->moment;
    case 'n': return 0;
    default: return value->text;
  }
}

// Rows as text; see engine_rows.
typedef struct {
  char *start;
  size_t length;
  size_t capacity;
} Output;

void output_field(Output *output, char kind, const char *text);
void output_end(Output *output);

#endif
