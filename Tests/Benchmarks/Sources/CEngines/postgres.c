#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CEngines.h"
#include "connection.h"

typedef struct {
  Connection base;
  PGconn *server;
  char prepared[work_count][most_statements];
} Server;

static int fail(Server *self, const char *what) {
  fprintf(stderr, "PostgreSQL, %s: %s\n", what, PQerrorMessage(self->server));
  return 0;
}

static void close_server(Connection *connection) {
  Server *self = (Server *)connection;
  PQfinish(self->server);
  free(self);
}

// Whether the result is the one that was wanted; frees it.
static int check(PGresult *result, ExecStatusType wanted) {
  int is_wanted = PQresultStatus(result) == wanted;
  PQclear(result);
  return is_wanted;
}

static int script(Connection *connection, const char *sql) {
  Server *self = (Server *)connection;
  PGresult *result = PQexec(self->server, sql);
  ExecStatusType status = PQresultStatus(result);
  PQclear(result);
  return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || fail(self, "script");
}

static char *rows(Connection *connection, const char *sql, const char *const *values, int count) {
  Server *self = (Server *)connection;
  const char *texts[64] = {0};
  for (int index = 0; index < count && index < 64; index++) {
    texts[index] = values[index] ? values[index] + 1 : NULL;
  }
  PGresult *result = PQexecParams(self->server, sql, count, NULL, texts, NULL, NULL, 0);
  ExecStatusType status = PQresultStatus(result);
  Output output = {0};
  for (int row = 0; row < PQntuples(result); row++) {
    for (int column = 0; column < PQnfields(result); column++) {
      Oid type = PQftype(result, column);
      char kind = PQgetisnull(result, row, column)             ? 'n'
                  : type == 20 || type == 21 || type == 23 ? 'i'
                                                               : 't';
      output_field(&output, kind, PQgetvalue(result, row, column));
    }
    output_end(&output);
  }
  PQclear(result);
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) {
    return output.start ? output.start : strdup("");
  }
  fail(self, sql);
  free(output.start);
  return NULL;
}

static int run(Server *self, int work, int index, const Texts *texts) {
  const Statement *text = &work_texts[work].statements[index];
  char name[16];
  snprintf(name, sizeof name, "work%d_%d", work, index);
  if (!self->prepared[work][index]) {
    char sql[2048];
    snprintf(sql, sizeof sql, "%s%s", text->sql, text->locks ? " FOR UPDATE" : "");
    if (!check(PQprepare(self->server, name, sql, 0, NULL), PGRES_COMMAND_OK)) return 0;
    self->prepared[work][index] = 1;
  }
  const char *values[most_values];
  for (int place = 0; place < text->count; place++) {
    values[place] = value_text(&text->values[place], texts);
  }
  PGresult *result =
      PQexecPrepared(self->server, name, text->count, values, NULL, NULL, 0);
  int is_one = text->decides || strcmp(PQcmdTuples(result), "1") == 0;
  int reads = PQnfields(result) > 0;
  return check(result, reads ? PGRES_TUPLES_OK : PGRES_COMMAND_OK) && is_one;
}

static int transact(Connection *connection, int work, const Texts *texts) {
  Server *self = (Server *)connection;
  if (!check(PQexec(self->server, "BEGIN"), PGRES_COMMAND_OK)) return fail(self, "begin");
  for (int index = 0; index < work_texts[work].count; index++) {
    if (work_texts[work].statements[index].decides && !connection->decides) continue;
    if (!run(self, work, index, texts)) return fail(self, "write");
  }
  return check(PQexec(self->server, "COMMIT"), PGRES_COMMAND_OK) || fail(self, "commit");
}

Connection *connect_postgres(const char *connection) {
  Server *self = calloc(1, sizeof *self);
  if (self == NULL) return NULL;
  self->base = (Connection){close_server, script, rows, transact};
  self->server = PQconnectdb(connection);
  if (PQstatus(self->server) == CONNECTION_OK && script(&self->base, "SET client_min_messages = error")) {
    return &self->base;
  }
  fail(self, "connect");
  close_server(&self->base);
  return NULL;
}
