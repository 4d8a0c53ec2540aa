#include "OpenSSLAtExit.h"

#include <openssl/crypto.h>

// Keeps OpenSSL's global data until the test process is gone.
//
// A thread of the pool that ends frees its errors and random generators, unless OpenSSL has freed its
// global data before, as it does by default when the process exits. Threads that end just then would
// be reported as leaks. See OPENSSL_INIT_NO_ATEXIT in OPENSSL_init_crypto(3).
__attribute__((constructor)) static void keep_global_data(void) {
  OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}
