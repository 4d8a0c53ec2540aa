// What Swift needs of libmicrohttpd (0.9.75 or later). Functions with a variable number of arguments,
// which Swift cannot import, become functions with the prefix `cmicrohttpd_`.
#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <stdio.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/socket.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#include <time.h>
#include <unistd.h>

// Leaves the target of a request as it was sent: what `%2F` means is for the application to say.
static inline size_t cmicrohttpd_keep(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

// A daemon with one thread and without a listening socket; NULL where it cannot be had.
static inline struct MHD_Daemon *cmicrohttpd_start(
    size_t memory, unsigned int connections, unsigned int timeout,
    MHD_AccessHandlerCallback handle,
    void *(*begin)(void *context, const char *target, struct MHD_Connection *connection),
    MHD_RequestCompletedCallback complete, MHD_NotifyConnectionCallback notify, void *context) {
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET, 0, NULL,
      NULL, handle, context,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
      MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_TIMEOUT, timeout,
      MHD_OPTION_UNESCAPE_CALLBACK, &cmicrohttpd_keep, NULL,
      MHD_OPTION_URI_LOG_CALLBACK, begin, context,
      MHD_OPTION_NOTIFY_COMPLETED, complete, context,
      MHD_OPTION_NOTIFY_CONNECTION, notify, context,
      MHD_OPTION_END);
}

// How many heaps the C library keeps at most; elsewhere than in glibc nothing happens.
static inline void cmicrohttpd_limit_heaps(int count) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, count);
#else
  (void)count;
#endif
}

// The descriptor of a connection's socket.
static inline int cmicrohttpd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

// What the server keeps with a connection; NULL if there is nothing.
static inline void *cmicrohttpd_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == NULL ? NULL : info->socket_context;
}

// The processors whose time a control group has, rounded up, of a quota and a period in microseconds;
// `count` without a quota.
static inline long cmicrohttpd_share(long quota, long period, long count) {
  if (quota <= 0 || period <= 0) return count;
  long share = (quota + period - 1) / period;
  return share < count ? share : count;
}

// The number in a file, or 0.
static inline long cmicrohttpd_number_in(const char *path) {
  long number = 0;
  FILE *file = fopen(path, "r");
  if (file == NULL) return 0;
  if (fscanf(file, "%ld", &number) != 1) number = 0;
  fclose(file);
  return number;
}

// How many processors the process may use: those it may run on, or fewer if its control group has the
// time of fewer, as containers see theirs: `cpu.max` of version 2, or quota and period of version 1. The C
// library hides `sched_getaffinity` unless everything is compiled with _GNU_SOURCE.
static inline long cmicrohttpd_processors(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
  unsigned long mask[128] = {0};
  long size = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
  if (size > 0) {
    count = 0;
    for (size_t place = 0; place < (size_t)size / sizeof *mask; place++)
      count += __builtin_popcountl(mask[place]);
  }
  FILE *file = fopen("/sys/fs/cgroup/cpu.max", "r");
  if (file != NULL) {
    long quota, period;
    if (fscanf(file, "%ld %ld", &quota, &period) == 2)
      count = cmicrohttpd_share(quota, period, count);
    fclose(file);
  } else {
    count = cmicrohttpd_share(cmicrohttpd_number_in("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"),
                              cmicrohttpd_number_in("/sys/fs/cgroup/cpu/cpu.cfs_period_us"), count);
  }
#endif
  return count;
}

// Nothing more is read than what has arrived. (The names of the kinds of `shutdown` are constants that
// Swift sees in one module or another, depending on what it compiled first.)
static inline void cmicrohttpd_end_reading(int socket) { shutdown(socket, SHUT_RD); }

// Nothing is read or written any more.
static inline void cmicrohttpd_end(int socket) { shutdown(socket, SHUT_RDWR); }

// Sends all bytes without waiting, and then no more; 0 where it is done.
static inline int cmicrohttpd_send_last(int socket, const void *bytes, size_t count) {
  if (send(socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)count) return -1;
  return shutdown(socket, SHUT_WR);
}

// Closes a socket once what has arrived is read, so that it is not reset at once.
static inline void cmicrohttpd_close_read(int socket) {
  char bytes[4096];
  for (int turn = 0; turn < 16; turn++)
    if (recv(socket, bytes, sizeof bytes, MSG_DONTWAIT) <= 0) break;
  close(socket);
}

// The present moment as header fields have it, in English, whatever the locale is.
static inline void cmicrohttpd_date(char *text, size_t size) {
  static const char *const days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  time_t now = time(NULL);
  struct tm moment;
  gmtime_r(&now, &moment);
  snprintf(text, size, "%s, %02d %s %04d %02d:%02d:%02d GMT", days[moment.tm_wday], moment.tm_mday,
           months[moment.tm_mon], moment.tm_year + 1900, moment.tm_hour, moment.tm_min,
           moment.tm_sec);
}

// POLLRDHUP, which the C library hides unless everything is compiled with _GNU_SOURCE.
#define CMICROHTTPD_PEER_ENDED 0x2000

#endif
