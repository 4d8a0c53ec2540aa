// The bound for the products of a user on SQLite: libmicrohttpd with one thread, the rows about a user of
// one app by five prepared statements, and an answer that is always the same, about as long as that of a
// user with a product. Takes the path of the database, and prints its port.
#include <microhttpd.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct MHD_Response *answer;
static const char *queries[] = {
    "SELECT environment, original_transaction_id, associated_at, how FROM store_associations"
    " WHERE user_id = ?1 AND bundle_id = ?2",
    "SELECT t.* FROM store_associations a JOIN apple_transaction t"
    " ON t.original_transaction_id = a.original_transaction_id AND t.environment = a.environment"
    " WHERE a.user_id = ?1 AND a.bundle_id = ?2",
    "SELECT r.* FROM store_associations a JOIN apple_pending_renewal r"
    " ON r.original_transaction_id = a.original_transaction_id AND r.environment = a.environment"
    " WHERE a.user_id = ?1 AND a.bundle_id = ?2",
    "SELECT * FROM store_acquired WHERE user_id = ?1 AND bundle_id = ?2",
    "SELECT * FROM store_validation WHERE user_id = ?1 AND bundle_id = ?2",
};
enum { COUNT = sizeof queries / sizeof *queries };
static sqlite3 *database;
static sqlite3_stmt *statements[COUNT];

static int run(const char *sql) { return sqlite3_exec(database, sql, NULL, NULL, NULL); }

// Reads all rows, in one transaction; returns their number, or -1.
static int read_rows(const char *user, const char *app) {
  int rows = 0;
  if (run("BEGIN") != SQLITE_OK) return -1;
  for (int place = 0; place < COUNT; place++) {
    sqlite3_stmt *statement = statements[place];
    int status;
    sqlite3_bind_text(statement, 1, user, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, app, -1, SQLITE_STATIC);
    while ((status = sqlite3_step(statement)) == SQLITE_ROW) {
      for (int column = 0; column < sqlite3_column_count(statement); column++)
        sqlite3_column_text(statement, column);
      rows++;
    }
    sqlite3_reset(statement);
    if (status != SQLITE_DONE) return -1;
  }
  return run("COMMIT") == SQLITE_OK ? rows : -1;
}

static enum MHD_Result handle(
    void *context, struct MHD_Connection *connection, const char *url, const char *method,
    const char *version, const char *data, size_t *size, void **state) {
  if (*state == NULL) {
    *state = answer;
    return MHD_YES;
  }
  char user[64];
  const char *app = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "bundleId");
  if (app == NULL || sscanf(url, "/api/v1/store/users/%63[^/]/products", user) != 1) return MHD_NO;
  // A purchase, its association, a product acquired through it, and the validation.
  if (read_rows(user, app) < 4) return MHD_NO;
  return MHD_queue_response(connection, MHD_HTTP_OK, answer);
}

int main(int count, char **arguments) {
  if (count != 2 || sqlite3_open_v2(arguments[1], &database, SQLITE_OPEN_READONLY, NULL)) return 1;
  for (int place = 0; place < COUNT; place++)
    if (sqlite3_prepare_v2(database, queries[place], -1, &statements[place], NULL)) return 1;
  static char body[400];
  memset(body, 'x', sizeof body);
  answer = MHD_create_response_from_buffer(sizeof body, body, MHD_RESPMEM_PERSISTENT);
  MHD_add_response_header(answer, "Content-Type", "application/json; charset=utf-8");
  MHD_add_response_header(answer, "Cache-Control", "no-cache, no-store, must-revalidate");
  struct MHD_Daemon *daemon = MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, handle, NULL, MHD_OPTION_END);
  if (daemon == NULL) return 1;
  printf("listening on http://127.0.0.1:%d\n",
         MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
  fflush(stdout);
  pause();
}
