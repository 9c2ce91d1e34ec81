#define UV__F(x) #x
#define XX(name, msg) case UV_##name: return msg;

UV_EXTERN int uv_run(uv_loop_t* loop, uv_run_mode mode);
UV_EXTERN const char* uv_strerror(int err);

static uv_once_t once = UV_ONCE_INIT;
static QUEUE* wq[2];
static void (*signal_handlers[8])(int);

STATIC_ASSERT(sizeof(int) == 4);

/**
 * Runs pending callbacks.
 *
 * Returns how many.
 */
static int uv__run_pending(uv_loop_t* loop) {
  switch (loop->state) {
    case 1: {
      int inner = 2;
      break;
    }
  }
#ifdef DEBUG
  int traced = 1;
#endif
  return 0;
}

int main(int argc, char** argv) {
  return 0;
}
