// What Swift needs of hiredis (0.14 or later): its protocol, without its connections, which have no TLS before 1.0.
#ifndef CHIREDIS_SHIM_H
#define CHIREDIS_SHIM_H

#if __has_include(<hiredis/hiredis.h>)
#include <hiredis/hiredis.h>
#else
#include <hiredis.h>
#endif

#if HIREDIS_MAJOR >= 1
typedef size_t chiredis_count;
#else
typedef int chiredis_count;
#endif

// The largest number of elements in a reply. Before 1.0 hiredis allocates as many as are announced.
#define CHIREDIS_MAXIMUM_ELEMENTS 16

// Makes an array of a reply as hiredis does, unless it is too long; then the reader ends with an error.
static inline void *chiredis_create_array(const redisReadTask *task, chiredis_count count) {
  const redisReplyObjectFunctions *usual = (const redisReplyObjectFunctions *)task->privdata;
  if (count > CHIREDIS_MAXIMUM_ELEMENTS) return NULL;
  return usual->createArray(task, count);
}

// A reader of replies with few elements, or NULL for lack of memory. The functions are the caller's memory, and
// outlive the reader.
static inline redisReader *chiredis_create_reader(redisReplyObjectFunctions *functions) {
  redisReader *reader = redisReaderCreate();
  if (reader == NULL) return NULL;
  *functions = *reader->fn;
  functions->createArray = &chiredis_create_array;
  reader->privdata = (void *)reader->fn;
  reader->fn = functions;
  return reader;
}

// A command in the protocol, to be freed with redisFreeCommand, and its length; negative on failure.
static inline long long chiredis_format(
    char **target, int count, const char **arguments, const size_t *lengths) {
  return redisFormatCommandArgv(target, count, arguments, lengths);
}

// The number of bytes that were fed and not parsed yet.
static inline size_t chiredis_unparsed(const redisReader *reader) { return reader->len - reader->pos; }

#endif
