#include <mysql.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CEngines.h"
#include "connection.h"

enum { most_columns = 16, longest_field = 8192, longest_place = 256 };

typedef struct {
  Connection base;
  MYSQL *server;
  MYSQL_STMT *prepared[work_count][most_statements];
  char fields[most_columns][longest_field];
} Server;

static int fail(Server *self, const char *what) {
  fprintf(stderr, "MariaDB, %s: %s\n", what, mysql_error(self->server));
  return 0;
}

static void close_server(Connection *connection) {
  Server *self = (Server *)connection;
  for (int work = 0; work < work_count; work++) {
    for (int index = 0; index < most_statements; index++) {
      if (self->prepared[work][index]) mysql_stmt_close(self->prepared[work][index]);
    }
  }
  mysql_close(self->server);
  free(self);
}

static int command(Server *self, const char *sql) {
  return mysql_real_query(self->server, sql, strlen(sql)) == 0;
}

static int script(Connection *connection, const char *sql) {
  Server *self = (Server *)connection;
  return command(self, sql) || fail(self, "script");
}

// Without parameters.
static char *rows(Connection *connection, const char *sql, const char *const *values, int count) {
  Server *self = (Server *)connection;
  MYSQL_RES *result = values && count > 0 ? NULL : command(self, sql) ? mysql_store_result(self->server) : NULL;
  if (result == NULL) {
    fail(self, sql);
    return NULL;
  }
  Output output = {0};
  const MYSQL_FIELD *fields = mysql_fetch_fields(result);
  MYSQL_ROW row;
  while ((row = mysql_fetch_row(result))) {
    for (unsigned column = 0; column < mysql_num_fields(result); column++) {
      int is_number = fields[column].type == MYSQL_TYPE_LONG || fields[column].type == MYSQL_TYPE_LONGLONG;
      output_field(&output, row[column] == NULL ? 'n' : is_number ? 'i' : 't', row[column]);
    }
    output_end(&output);
  }
  mysql_free_result(result);
  return output.start ? output.start : strdup("");
}

// Prepares a statement, whose parameters stand in their order.
static MYSQL_STMT *prepare(Server *self, const Statement *text) {
  const char *from = text->mariadb ? text->mariadb : text->sql;
  const char *lock = text->locks ? " FOR UPDATE" : "";
  char *sql = malloc(strlen(from) + strlen(lock) + 1), *to = sql;
  MYSQL_STMT *statement = mysql_stmt_init(self->server);
  if (sql == NULL || statement == NULL) abort();
  while (*from) {
    int is_place = *from == '$';
    *to++ = is_place ? '?' : *from;
    from++;
    while (is_place && *from >= '0' && *from <= '9') from++;
  }
  strcpy(to, lock);
  int is_prepared = mysql_stmt_prepare(statement, sql, to - sql + strlen(lock)) == 0;
  free(sql);
  if (is_prepared) return statement;
  mysql_stmt_close(statement);
  return NULL;
}

// Reads the one row that there has to be, or may be.
static int read_one(Server *self, MYSQL_STMT *statement, int may_be_none) {
  MYSQL_BIND binds[most_columns] = {0};
  unsigned count = mysql_stmt_field_count(statement);
  if (count > most_columns) return 0;
  for (unsigned column = 0; column < count; column++) {
    binds[column].buffer_type = MYSQL_TYPE_STRING;
    binds[column].buffer = self->fields[column];
    binds[column].buffer_length = longest_field;
  }
  if (mysql_stmt_bind_result(statement, binds) != 0) return 0;
  int code = mysql_stmt_fetch(statement);
  return (code == MYSQL_NO_DATA && may_be_none) ||
         (code == 0 && mysql_stmt_fetch(statement) == MYSQL_NO_DATA);
}

static int run(Server *self, int work, int index, const Texts *texts) {
  const Statement *text = &work_texts[work].statements[index];
  MYSQL_STMT **place = &self->prepared[work][index];
  if (*place == NULL && (*place = prepare(self, text)) == NULL) return 0;
  MYSQL_BIND binds[most_values] = {0};
  for (int index = 0; index < text->count; index++) {
    const Value *value = &text->values[index];
    MYSQL_BIND *bind = &binds[index];
    if (value->kind == 'i') {
      bind->buffer_type = MYSQL_TYPE_LONGLONG;
      bind->buffer = (void *)&value->number;
      continue;
    }
    const char *string = value_text(value, texts);
    bind->buffer_type = string ? MYSQL_TYPE_STRING : MYSQL_TYPE_NULL;
    bind->buffer = (void *)string;
    bind->buffer_length = string ? strlen(string) : 0;
  }
  if (mysql_stmt_bind_param(*place, binds) != 0 || mysql_stmt_execute(*place) != 0) return 0;
  return mysql_stmt_field_count(*place) > 0 ? read_one(self, *place, text->decides)
                                            : mysql_stmt_affected_rows(*place) == 1;
}

// A transaction begins with its first statement.
static int transact(Connection *connection, int work, const Texts *texts) {
  Server *self = (Server *)connection;
  for (int index = 0; index < work_texts[work].count; index++) {
    if (work_texts[work].statements[index].decides && !connection->decides) continue;
    if (!run(self, work, index, texts)) return fail(self, "write");
  }
  return command(self, "COMMIT") || fail(self, "commit");
}

Connection *connect_mariadb(const char *url) {
  Server *self = calloc(1, sizeof *self);
  if (self == NULL) return NULL;
  self->base = (Connection){close_server, script, rows, transact};
  self->server = mysql_init(NULL);
  char user[longest_place], database[longest_place], socket[longest_place];
  if (sscanf(url, "mysql://%255[^@]@localhost/%255[^?]?socket=%255s", user, database, socket) == 3 &&
      mysql_real_connect(self->server, NULL, user, NULL, database, 0, socket, 0) &&
      command(self, "SET NAMES utf8mb4") &&
      command(self, "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED") &&
      command(self,
              "SET SESSION autocommit = 0, sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT,STRICT_ALL_TABLES',"
              " max_recursive_iterations = 4294967295")) {
    return &self->base;
  }
  fail(self, "connect");
  close_server(&self->base);
  return NULL;
}
