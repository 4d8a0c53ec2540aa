// What Swift needs of libcurl (7.81 or later). Functions with a variable number of arguments, which
// Swift cannot import, become functions with the prefix `ccurl_`.
#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#include <arpa/inet.h>
#include <curl/curl.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

// Options of a transfer, by the type of their value.
static inline CURLcode ccurl_set_number(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_bytes(CURL *easy, CURLoption option, const void *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

// What curl calls: before it sends a request, with each line of the head, with each piece of the body.
static inline CURLcode ccurl_set_callbacks(
    CURL *easy, void *context,
    int (*before)(void *context, char *peer, char *own, int peer_port, int own_port),
    size_t (*line)(char *bytes, size_t size, size_t count, void *context),
    size_t (*piece)(char *bytes, size_t size, size_t count, void *context)) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_PRIVATE, context);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, before);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, line);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, piece);
  return code;
}

// What curl calls when it has opened a socket, and to close one; the context outlives the connections.
static inline CURLcode ccurl_set_socket_callbacks(
    CURL *easy, void *context,
    int (*opened)(void *context, curl_socket_t socket, curlsocktype purpose),
    int (*close)(void *context, curl_socket_t socket)) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_SOCKOPTDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, opened);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close);
  return code;
}

// What decides whether a socket may be opened to an address, of 4 or 16 bytes.
typedef int (*ccurl_address_rule)(const unsigned char *bytes, size_t count);

// Opens a socket if its address may be connected with. The address is the one that is about to be used, so that no
// later answer of a name server counts.
static inline curl_socket_t ccurl_open_socket(
    void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  ccurl_address_rule allows = (ccurl_address_rule)context;
  int type = address->socktype;
  (void)purpose;
  switch (address->family) {
  case AF_INET: {
    const struct sockaddr_in *in = (const struct sockaddr_in *)&address->addr;
    if (!allows((const unsigned char *)&in->sin_addr, 4)) return CURL_SOCKET_BAD;
    break;
  }
  case AF_INET6: {
    const struct sockaddr_in6 *in = (const struct sockaddr_in6 *)&address->addr;
    if (!allows((const unsigned char *)&in->sin6_addr, 16)) return CURL_SOCKET_BAD;
    break;
  }
  default: return CURL_SOCKET_BAD;
  }
#ifdef SOCK_CLOEXEC
  type |= SOCK_CLOEXEC;
#endif
  return socket(address->family, type, address->protocol);
}

static inline CURLcode ccurl_set_address_rule(CURL *easy, ccurl_address_rule allows) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, (void *)allows);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, ccurl_open_socket);
  // The address would be that of the proxy.
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_PROXY, "");
  return code;
}

// Whether a transfer that is about to be sent has a connection that another has used before.
static inline int ccurl_is_connection_kept(CURL *easy) {
  long count = 0;
  return curl_easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &count) == CURLE_OK && count == 0;
}

static inline int ccurl_port(const struct sockaddr_storage *address) {
  switch (address->ss_family) {
  case AF_INET: return ntohs(((const struct sockaddr_in *)address)->sin_port);
  case AF_INET6: return ntohs(((const struct sockaddr_in6 *)address)->sin6_port);
  default: return -1;
  }
}

// Whether a socket connects these ports.
static inline int ccurl_connects(curl_socket_t socket, int own_port, int peer_port) {
  struct sockaddr_storage own, peer;
  socklen_t own_length = sizeof(own), peer_length = sizeof(peer);
  return getsockname(socket, (struct sockaddr *)&own, &own_length) == 0 &&
         getpeername(socket, (struct sockaddr *)&peer, &peer_length) == 0 &&
         ccurl_port(&own) == own_port && ccurl_port(&peer) == peer_port;
}

// Whether nothing has arrived at a socket that was not read yet, not even the end.
static inline int ccurl_is_quiet(curl_socket_t socket) {
  char byte;
  ssize_t count = recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

static inline void ccurl_close(curl_socket_t socket) { close(socket); }

// Ends a connection at once, so that nothing waits for its peer any more. The socket still has to be closed.
static inline void ccurl_shut_down(curl_socket_t socket) { shutdown(socket, SHUT_RDWR); }

// What curl calls while it sends an e-mail: with each line of the server, with what it logs (among that each
// command), and about once a second, to ask whether to go on (0) or to stop. The context also marks the transfer for
// ccurl_next_end.
static inline CURLcode ccurl_set_mail_callbacks(
    CURL *easy, void *context,
    size_t (*line)(char *bytes, size_t size, size_t count, void *context),
    int (*log)(CURL *easy, curl_infotype type, char *bytes, size_t count, void *context),
    int (*progress)(void *context, curl_off_t, curl_off_t, curl_off_t, curl_off_t)) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_PRIVATE, context);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_DEBUGDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, line);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, line);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, log);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_XFERINFODATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, progress);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L);
  return code;
}

static inline CURLcode ccurl_set_mime(CURL *easy, curl_mime *mime) {
  return curl_easy_setopt(easy, CURLOPT_MIMEPOST, mime);
}

// Blocks SIGPIPE on this thread and tells whether it was blocked before: writing to a connection that is closed
// already raises it, which ends a process.
static inline int ccurl_block_pipe_signal(void) {
  sigset_t pipe, before;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  return pthread_sigmask(SIG_BLOCK, &pipe, &before) == 0 && sigismember(&before, SIGPIPE) == 1;
}

// Takes a SIGPIPE that was raised in the meantime, and lets the next ones through, unless they were blocked before.
static inline void ccurl_restore_pipe_signal(int was_blocked) {
  sigset_t pipe, pending;
  int number;
  if (was_blocked) return;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  if (sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1) sigwait(&pipe, &number);
  pthread_sigmask(SIG_UNBLOCK, &pipe, NULL);
}

// Ends a transfer without waiting for the thread that looks its host up. Before 7.87 curl waits.
static inline CURLcode ccurl_set_quick_exit(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  CURLcode code = curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
  // The headers may be newer than the library.
  return code == CURLE_UNKNOWN_OPTION ? CURLE_OK : code;
#else
  (void)easy;
  return CURLE_OK;
#endif
}

static inline CURLMcode ccurl_multi_set_number(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

// The context of the next transfer that has ended, and how; NULL when there is no more.
static inline void *ccurl_next_end(CURLM *multi, CURLcode *code) {
  int rest;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &rest)) != NULL) {
    void *context = NULL;
    if (message->msg != CURLMSG_DONE) continue;
    *code = message->data.result;
    if (curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &context) == CURLE_OK &&
        context != NULL) {
      return context;
    }
  }
  return NULL;
}

// The socket of a transfer that only connects; CURL_SOCKET_BAD if there is none.
static inline curl_socket_t ccurl_socket(CURL *easy) {
  curl_socket_t socket = CURL_SOCKET_BAD;
  return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK ? socket : CURL_SOCKET_BAD;
}

// What a thread is started with; a thread's entry point returns a value, which nobody wants.
struct ccurl_start {
  char name[16];
  void (*run)(void *context);
  void *context;
};

static inline void *ccurl_run(void *pointer) {
  struct ccurl_start start = *(struct ccurl_start *)pointer;
  free(pointer);
#if defined(__linux__)
  prctl(PR_SET_NAME, start.name, 0, 0, 0);
#elif defined(__APPLE__)
  pthread_setname_np(start.name);
#endif
  start.run(start.context);
  return NULL;
}

// Starts a thread that nobody waits for and that no signal from outside interrupts: writing to a connection that
// is closed already raises SIGPIPE, which ends a process. False where no thread can be had. Of the
// name 15 characters count.
static inline int ccurl_start_thread(
    const char *name, void (*run)(void *context), void *context) {
  struct ccurl_start *start = (struct ccurl_start *)malloc(sizeof(*start));
  pthread_attr_t attributes;
  pthread_t thread;
  sigset_t all, before;
  int code;
  if (start == NULL) return 0;
  strncpy(start->name, name, sizeof(start->name) - 1);
  start->name[sizeof(start->name) - 1] = 0;
  start->run = run;
  start->context = context;
  if (pthread_attr_init(&attributes) != 0) {
    free(start);
    return 0;
  }
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  sigfillset(&all);
  // These tell of errors of the thread itself, and whoever handles them wants to know.
  sigdelset(&all, SIGSEGV);
  sigdelset(&all, SIGBUS);
  sigdelset(&all, SIGILL);
  sigdelset(&all, SIGFPE);
  sigdelset(&all, SIGABRT);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  code = pthread_create(&thread, &attributes, &ccurl_run, start);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (code != 0) free(start);
  return code == 0;
}

#endif
