#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "CBaseline.h"
#include "CEngines.h"
#include "connection.h"

enum { most_callers = 64 };

struct Engine {
  int callers;
  Connection *connections[most_callers];
  // The number of the next transaction of each work.
  _Atomic long long next[work_count];
  char receipt[receipt_length + 1];
  Message *token;
};

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static Engine *open_engine(Connection *(*connect)(const char *), const char *place, int callers) {
  if (callers > most_callers) return NULL;
  Engine *engine = calloc(1, sizeof *engine);
  if (engine == NULL) return NULL;
  memset(engine->receipt, 'M', receipt_length);
  engine->token = message_new(token_length);
  if (engine->token == NULL) {
    engine_close(engine);
    return NULL;
  }
  for (int work = 0; work < work_count; work++) {
    engine->next[work] = work_texts[work].start + work_texts[work].distance;
  }
  for (; engine->callers < callers; engine->callers++) {
    Connection *connection = connect(place);
    if (connection == NULL) {
      engine_close(engine);
      return NULL;
    }
    engine->connections[engine->callers] = connection;
  }
  return engine;
}

Engine *engine_sqlite(const char *path, int callers) {
  return open_engine(connect_sqlite, path, callers);
}

Engine *engine_postgres(const char *connection, int callers) {
  return open_engine(connect_postgres, connection, callers);
}

Engine *engine_mariadb(const char *url, int callers) {
  return open_engine(connect_mariadb, url, callers);
}

void engine_decide(Engine *engine) {
  for (int index = 0; index < engine->callers; index++) engine->connections[index]->decides = 1;
}

void engine_close(Engine *engine) {
  if (engine == NULL) return;
  for (int index = 0; index < engine->callers; index++) {
    engine->connections[index]->close(engine->connections[index]);
  }
  message_free(engine->token);
  free(engine);
}

int engine_script(Engine *engine, const char *sql) {
  return engine->connections[0]->script(engine->connections[0], sql);
}

char *engine_rows(Engine *engine, const char *sql, const char *const *values, int count) {
  return engine->connections[0]->rows(engine->connections[0], sql, values, count);
}

struct Caller {
  Engine *engine;
  Connection *connection;
  Work work;
  uint64_t deadline;
  int64_t made;
};

static void *call(void *argument) {
  struct Caller *caller = argument;
  const WorkText *work = &work_texts[caller->work];
  Texts texts = {.receipt = caller->engine->receipt};
  MessageVerifier *verifier = message_verifier_new(caller->engine->token);
  while (caller->made >= 0 && now() < caller->deadline) {
    long long number = atomic_fetch_add(&caller->engine->next[caller->work], work->distance);
    snprintf(texts.moment, sizeof texts.moment, "%lld", 1700000000000 + number);
    if (work->cycle > 0) number = number % work->cycle + 1;
    unsigned scattered = (unsigned)((unsigned long long)number * 2654435761u);
    snprintf(texts.id, sizeof texts.id, "%lld", work->first + number);
    snprintf(texts.account, sizeof texts.account, "%08x-1111-4222-8333-%012llx", scattered, number);
    snprintf(texts.event, sizeof texts.event, "payment.apple_iap:%s", texts.id);
    snprintf(texts.purchase, sizeof texts.purchase, "production:%s", texts.id);
    snprintf(texts.membership, sizeof texts.membership, "mmb_%08xabcd", scattered);
    int succeeded = verifier != NULL && message_verify(verifier, work->signatures) &&
                    caller->connection->transact(caller->connection, (int)caller->work, &texts);
    caller->made = succeeded ? caller->made + 1 : -1;
  }
  message_verifier_free(verifier);
  return NULL;
}

int64_t engine_run(Engine *engine, Work work, int count, uint64_t nanoseconds, uint64_t *elapsed) {
  struct Caller callers[most_callers];
  pthread_t threads[most_callers];
  if (count > engine->callers) return -1;
  uint64_t start = now();
  for (int index = 0; index < count; index++) {
    callers[index] =
        (struct Caller){engine, engine->connections[index], work, start + nanoseconds, 0};
    if (pthread_create(&threads[index], NULL, call, &callers[index]) != 0) abort();
  }
  int64_t made = 0;
  for (int index = 0; index < count; index++) {
    pthread_join(threads[index], NULL);
    made = made < 0 || callers[index].made < 0 ? -1 : made + callers[index].made;
  }
  *elapsed = now() - start;
  return made;
}

void output_field(Output *output, char kind, const char *text) {
  size_t length = text && kind != 'n' ? strlen(text) : 0;
  if (output->length + length + 4 > output->capacity) {
    output->capacity = (output->length + length + 4) * 2;
    output->start = realloc(output->start, output->capacity);
    if (output->start == NULL) abort();
  }
  output->start[output->length++] = kind;
  if (length > 0) memcpy(output->start + output->length, text, length);
  output->length += length;
  output->start[output->length++] = 0x1F;
  output->start[output->length] = 0;
}

void output_end(Output *output) {
  if (output->start == NULL) return;
  output->start[output->length++] = 0x1E;
  output->start[output->length] = 0;
}
