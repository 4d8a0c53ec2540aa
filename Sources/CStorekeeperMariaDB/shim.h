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
