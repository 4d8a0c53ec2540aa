// What Swift needs of libpq (14 or later, for the pipeline mode).
#ifndef CPOSTGRESQL_SHIM_H
#define CPOSTGRESQL_SHIM_H

#include <libpq-fe.h>

#endif
