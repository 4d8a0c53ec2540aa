// What Swift needs of SQLite (3.38 or later). Macros and casts, which Swift cannot import, become
// functions with the prefix `csqlite_`.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

// Before SQLite is first used in the process: it counts no memory. SQLITE_MISUSE where it is too late.
static inline int csqlite_omit_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
