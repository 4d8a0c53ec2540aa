// The writes of the transactions: prepared statements with the columns that Storekeeper writes, and values
// as long as its.
#ifndef WORKS_H
#define WORKS_H

#include "CEngines.h"

// Kinds: # original transaction id, @ account, m membership id, r receipt, e event of the ledger,
// k key of an ordered purchase, d another date each time in milliseconds, t text, i number, n NULL.
typedef struct {
  char kind;
  const char *text;
  long long number;
} Value;

enum { most_statements = 9, most_values = 24 };

typedef struct {
  const char *sql;
  int count;
  Value values[most_values];
  // The text for MariaDB, where it is another; it has the same parameters in the same order.
  const char *mariadb;
  // Whether it only reads, and the rows that it finds decide what is written; it may find none.
  int decides;
  // Whether it locks what it finds, which SQLite need not.
  int locks;
} Statement;

typedef struct {
  // The original transaction id before the first, and the distance to the next.
  long long first;
  int distance;
  // The number of statements.
  int count;
  Statement statements[most_statements];
  // The number before the first transaction, and the one after which they begin anew; 0 for none.
  long long start, cycle;
  // How many signed messages of Apple's length it verifies before it writes.
  int signatures;
} WorkText;

extern const WorkText work_texts[work_count];

#endif
