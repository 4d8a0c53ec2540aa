// The bound for requests that read: libmicrohttpd with one thread and an answer that is always the
// same, about as long as a subscription. Prints its port.
#include <microhttpd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct MHD_Response *answer;

static enum MHD_Result handle(
    void *context, struct MHD_Connection *connection, const char *url, const char *method,
    const char *version, const char *data, size_t *size, void **state) {
  if (*state == NULL) {
    *state = answer;
    return MHD_YES;
  }
  return MHD_queue_response(connection, MHD_HTTP_OK, answer);
}

int main(void) {
  char body[400];
  memset(body, 'x', sizeof body);
  answer = MHD_create_response_from_buffer(sizeof body, body, MHD_RESPMEM_PERSISTENT);
  MHD_add_response_header(answer, "Content-Type", "application/json; charset=utf-8");
  MHD_add_response_header(answer, "Cache-Control", "no-cache, no-store, must-revalidate");
  struct MHD_Daemon *daemon = MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, handle, NULL, MHD_OPTION_END);
  if (daemon == NULL) return 1;
  printf("listening on http://127.0.0.1:%d\n",
         MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
  fflush(stdout);
  pause();
}
