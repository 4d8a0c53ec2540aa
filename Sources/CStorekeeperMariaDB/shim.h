// What Swift needs of MariaDB Connector/C (3.1 or later).
#ifndef CMARIADB_SHIM_H
#define CMARIADB_SHIM_H

#include <mysql.h>
// After the types that it speaks of.
#include <ma_pvio.h>

// The option holds only before a connection is made; its transport takes it at any time. 0 is no limit.
static inline void cmariadb_set_read_timeout(MYSQL *mysql, int seconds) {
  MARIADB_PVIO *transport = mysql->net.pvio;
  if (transport) transport->methods->set_timeout(transport, PVIO_READ_TIMEOUT, seconds);
}

// Since 3.3 a statement can be sent without waiting for its answer, which is then read by a function that has no other
// name. Before, it is sent and answered at once.
#if MARIADB_PACKAGE_VERSION_ID >= 30300
static inline int cmariadb_goes_ahead(void) { return 1; }
static inline int cmariadb_send(MYSQL_STMT *statement) {
  MYSQL *mysql = statement->mysql;
  my_bool skips = 1;
  if (mysql) mysql_options(mysql, MARIADB_OPT_SKIP_READ_RESPONSE, &skips);
  int code = mysql_stmt_execute(statement);
  skips = 0;
  if (mysql) mysql_options(mysql, MARIADB_OPT_SKIP_READ_RESPONSE, &skips);
  return code;
}
static inline int cmariadb_receive(MYSQL_STMT *statement) {
  MYSQL *mysql = statement->mysql;
  return mysql ? mysql->methods->db_read_execute_response(statement) : 1;
}
#else
static inline int cmariadb_goes_ahead(void) { return 0; }
static inline int cmariadb_send(MYSQL_STMT *statement) { return mysql_stmt_execute(statement); }
static inline int cmariadb_receive(MYSQL_STMT *statement) {
  (void)statement;
  return 0;
}
#endif

// mysql_options is variadic under another name, and its values are pointers to what they are.
static inline int cmariadb_set_number(MYSQL *mysql, enum mysql_option option, unsigned int value) {
  return mysql_options(mysql, option, &value);
}
static inline int cmariadb_set_flag(MYSQL *mysql, enum mysql_option option, my_bool value) {
  return mysql_options(mysql, option, &value);
}
static inline int cmariadb_set_text(MYSQL *mysql, enum mysql_option option, const char *value) {
  return mysql_options(mysql, option, value);
}
static inline int cmariadb_set_program(MYSQL *mysql, const char *name) {
  return mysql_options4(mysql, MYSQL_OPT_CONNECT_ATTR_ADD, "program_name", name);
}

#endif
