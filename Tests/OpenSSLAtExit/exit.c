#include "OpenSSLAtExit.h"

#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Fails the run if something has used OpenSSL before `keep_global_data`, and its data is gone.
static void check_global_data(void) {
  if (OPENSSL_init_crypto(0, NULL) == 1) return;
  fputs("Fatal error: OpenSSL has freed its global data before the test process ended.\n", stderr);
  _exit(1);
}

// Keeps OpenSSL's global data until the test process is gone.
//
// A thread of the pool that ends frees its errors and random generators, unless OpenSSL has freed its
// global data before, as it does by default when the process exits. Threads that end just then would
// be reported as leaks. See OPENSSL_INIT_NO_ATEXIT in OPENSSL_init_crypto(3).
__attribute__((constructor)) static void keep_global_data(void) {
  atexit(check_global_data);
  OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}
