// What Swift needs of SQLite (3.38 or later). Macros and casts, which Swift cannot import, become
// functions with the prefix `csqlite_`.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

// SQLITE_TRANSIENT, a cast: SQLite copies the text before the call returns.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int bytes) {
  return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}

// Before SQLite is first used in the process: it counts no memory. SQLITE_MISUSE where it is too late.
static inline int csqlite_omit_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
