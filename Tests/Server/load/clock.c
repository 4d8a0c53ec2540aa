// Preloaded, it lets a program's clock run SHIFT seconds ahead of the machine's, or behind it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static time_t shift(void) {
  const char *text = getenv("SHIFT");
  return text ? atol(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, time);
  if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += shift();
  return result;
}

int gettimeofday(struct timeval *time, void *zone) {
  static int (*real)(struct timeval *, void *);
  if (!real) real = dlsym(RTLD_NEXT, "gettimeofday");
  int result = real(time, zone);
  if (result == 0) time->tv_sec += shift();
  return result;
}
