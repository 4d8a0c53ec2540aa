/// SQLite, PostgreSQL and MariaDB as their own C interfaces reach them: the bound that the stores' figures are
/// ratios of, and the means to fill databases and to look at query plans.
#ifndef CENGINES_H
#define CENGINES_H

#include <stdint.h>

/// The number of characters in the receipt of a verification.
enum { receipt_length = 6000 };

/// The number of bytes in a signed transaction, as Apple makes them.
enum { token_length = 5346 };

/// The number of users with a stored order whose logins are checked in turn.
enum { ordered_count = 5000 };

/// Connections to a database, each for one caller; it counts its transactions.
typedef struct Engine Engine;

/// Opens connections to a file of SQLite, durable like the store's; NULL on failure.
Engine *engine_sqlite(const char *path, int callers);

/// Opens connections to a server of PostgreSQL; NULL on failure.
Engine *engine_postgres(const char *connection, int callers);

/// Opens connections to a server of MariaDB, by a URL with a socket; NULL on failure.
Engine *engine_mariadb(const char *url, int callers);

/// Has the transactions read, and lock, the rows that decide about what they write.
void engine_decide(Engine *engine);

void engine_close(Engine *engine);

/// Runs a script on the first connection; 1 on success.
int engine_script(Engine *engine, const char *sql);

/// Runs a statement on the first connection and gives its rows, to be freed; NULL on failure.
///
/// A value begins with i (a number) or t (a text); a null pointer is NULL. In the rows, a field
/// begins with i, t or n (NULL) and ends with 0x1F, and a row ends with 0x1E. MariaDB takes no values here.
char *engine_rows(Engine *engine, const char *sql, const char *const *values, int count);

/// The writes of the service in one transaction.
typedef enum {
  /// Those of one new customer's answer of verifyReceipt.
  work_verify,
  /// Those of a first link of a stored subscription.
  work_link,
  /// Those of the first grant of a credit pack to a new user, whose signature OpenSSL verifies before.
  work_grant,
  /// Those of a new user's first order.
  work_order,
  /// That of a login of a user with a stored order, whose row is read first.
  work_login,
  /// Those of the notification of a first purchase, with a transaction and a renewal inside, whose three signatures
  /// OpenSSL verifies before.
  work_notification,
  /// The number of works.
  work_count,
} Work;

/// The number of rows that a transaction writes.
int work_writes(Work work);

/// So many callers, each on a thread of its own, make one transaction after the other for so long.
///
/// Gives how many were made, and in `elapsed` how long it took; -1 on failure.
int64_t engine_run(Engine *engine, Work work, int callers, uint64_t nanoseconds, uint64_t *elapsed);

#endif
