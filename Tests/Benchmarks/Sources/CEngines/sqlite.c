#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CEngines.h"
#include "connection.h"

typedef struct {
  Connection base;
  sqlite3 *file;
  sqlite3_stmt *begin, *commit;
  sqlite3_stmt *prepared[work_count][most_statements];
} File;

static int fail(File *self, const char *what) {
  fprintf(stderr, "SQLite, %s: %s\n", what, sqlite3_errmsg(self->file));
  return 0;
}

static void close_file(Connection *connection) {
  File *self = (File *)connection;
  sqlite3_finalize(self->begin);
  sqlite3_finalize(self->commit);
  for (int work = 0; work < work_count; work++) {
    for (int index = 0; index < most_statements; index++) {
      sqlite3_finalize(self->prepared[work][index]);
    }
  }
  sqlite3_close(self->file);
  free(self);
}

static int script(Connection *connection, const char *sql) {
  File *self = (File *)connection;
  return sqlite3_exec(self->file, sql, NULL, NULL, NULL) == SQLITE_OK || fail(self, "script");
}

static char *rows(Connection *connection, const char *sql, const char *const *values, int count) {
  File *self = (File *)connection;
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v2(self->file, sql, -1, &statement, NULL) != SQLITE_OK) {
    fail(self, "prepare");
    return NULL;
  }
  // Parameters are counted by their first appearance; their names are their places.
  int parameters = sqlite3_bind_parameter_count(statement);
  for (int index = 1; index <= parameters; index++) {
    int place = atoi(sqlite3_bind_parameter_name(statement, index) + 1) - 1;
    const char *value = place < count ? values[place] : NULL;
    if (value == NULL) continue;
    if (value[0] == 'i') {
      sqlite3_bind_int64(statement, index, atoll(value + 1));
    } else {
      sqlite3_bind_text(statement, index, value + 1, -1, SQLITE_STATIC);
    }
  }
  Output output = {0};
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    for (int column = 0; column < sqlite3_column_count(statement); column++) {
      int type = sqlite3_column_type(statement, column);
      char kind = type == SQLITE_NULL ? 'n' : type == SQLITE_INTEGER ? 'i' : 't';
      output_field(&output, kind, (const char *)sqlite3_column_text(statement, column));
    }
    output_end(&output);
  }
  if (code != SQLITE_DONE) fail(self, sql);
  sqlite3_finalize(statement);
  if (code == SQLITE_DONE) return output.start ? output.start : strdup("");
  free(output.start);
  return NULL;
}

static int bind(sqlite3_stmt *statement, const Statement *text, const Texts *texts) {
  for (int index = 0; index < text->count; index++) {
    const Value *value = &text->values[index];
    int code = value->kind == 'n'   ? sqlite3_bind_null(statement, index + 1)
               : value->kind == 'i' ? sqlite3_bind_int64(statement, index + 1, value->number)
                                    : sqlite3_bind_text(statement, index + 1,
                                                        value_text(value, texts), -1,
                                                        SQLITE_STATIC);
    if (code != SQLITE_OK) return 0;
  }
  return 1;
}

static int step(sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  int expected = sqlite3_column_count(statement) > 0 ? SQLITE_ROW : SQLITE_DONE;
  return sqlite3_reset(statement) == SQLITE_OK && code == expected;
}

static int transact(Connection *connection, int work, const Texts *texts) {
  File *self = (File *)connection;
  const WorkText *all = &work_texts[work];
  if (!step(self->begin)) return fail(self, "begin");
  for (int index = 0; index < all->count; index++) {
    const Statement *text = &all->statements[index];
    if (text->decides && !connection->decides) continue;
    sqlite3_stmt **place = &self->prepared[work][index];
    if (*place == NULL &&
        sqlite3_prepare_v3(self->file, text->sql, -1, SQLITE_PREPARE_PERSISTENT,
                           place, NULL) != SQLITE_OK) {
      return fail(self, "prepare");
    }
    if (!bind(*place, text, texts) || !(step(*place) || text->decides)) {
      return fail(self, "write");
    }
    if (!sqlite3_stmt_readonly(*place) && sqlite3_changes(self->file) != 1) return fail(self, "no row");
  }
  return step(self->commit) || fail(self, "commit");
}

Connection *connect_sqlite(const char *path) {
  File *self = calloc(1, sizeof *self);
  if (self == NULL) return NULL;
  self->base = (Connection){close_file, script, rows, transact};
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path, &self->file, flags, NULL) == SQLITE_OK &&
      sqlite3_busy_timeout(self->file, 60000) == SQLITE_OK &&
      script(&self->base,
             "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384;"
             " PRAGMA temp_store = MEMORY") &&
      sqlite3_prepare_v2(self->file, "BEGIN IMMEDIATE", -1, &self->begin, NULL) == SQLITE_OK &&
      sqlite3_prepare_v2(self->file, "COMMIT", -1, &self->commit, NULL) == SQLITE_OK) {
    return &self->base;
  }
  fail(self, "open");
  close_file(&self->base);
  return NULL;
}
