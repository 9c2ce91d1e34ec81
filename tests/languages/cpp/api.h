#ifndef API_H_
#define API_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define API_EXTERN __attribute__((visibility("default")))
#define API_VERSION 3

typedef struct api_loop_s api_loop_t;
typedef void (*api_close_cb)(api_loop_t* loop, int status);

/* Modes to run in. */
typedef enum {
  API_RUN_DEFAULT = 0,
  API_RUN_ONCE
} api_run_mode;

struct api_loop_s {
  void* data;
  unsigned int active;
  union { void* unused; unsigned int count; } active_reqs;
};

typedef struct api_buf { char* base; size_t len; } api_buf_t;

#define API_FIELDS                \
  /* what all handles have */     \
  void* data;                     \
  API_PRIVATE_FIELDS

/* A handle of any kind. */
struct api_handle_s {
  API_FIELDS
  API_MORE_FIELDS
};

struct api_timer_s {
  API_FIELDS
  /* in milliseconds */
  int timeout;
  API_PRIVATE_FIELDS
};

enum api_last {
  API_FIRST,
  API_LAST
};

/* Start the loop. */
API_EXTERN int api_run(api_loop_t* loop, api_run_mode mode);
API_EXTERN const char* api_strerror(int err);
void api_close(api_loop_t* loop,
               api_close_cb cb);

extern int api_debug;

static inline int api_is_alive(const api_loop_t* loop) {
  return loop->active > 0;
}

#ifdef __cplusplus
}
#endif

#endif  /* API_H_ */
