// What Swift needs of SQLite (3.35 or later). Macros and casts, which Swift cannot import, become
// functions with the prefix `csqlite_`.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

#endif
