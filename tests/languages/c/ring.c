/* Copyright notice, not part of anything. */

#include <stdlib.h>
#include "ring.h"

#define RING_MIN 16
#define RING_MAX (1u << 20)

/* Smallest of two values.
 *
 * Evaluates twice.
 */
#define MIN(a, b) \
  ((a) < (b) ? (a) : (b))

#ifndef RING_H_
#define RING_H_
#endif

// A slot of the ring.
struct slot {
  void* data;           /* owned by the caller */
  size_t len, cap;
  struct slot* next;
  unsigned used : 1;
  void (*release)(void* data);
  char tag[8];
  struct {
    int row;
    int col;
  } at;
  union {
    int fd;
    void* handle;
  };
};

struct forward;

typedef struct ring_s {
  struct slot* head;
  const char** names;
} ring_t, *ring_ptr;

typedef struct {
  double x, y;
} point_t;

typedef union { int i; float f; } number_t;

typedef enum { COLD, WARM = 5, HOT } heat_t;

enum color {
  RED,
  GREEN,  /* the default */
};

enum { ANON_A = 1, ANON_B };

typedef int (*compare_fn)(const void* a, const void* b);
typedef void* handle_t;
typedef unsigned char digest_t[32];
typedef int handler_proto(int);

static int counter = 0;
int a, *b, c[4];
const char* const kNames[] = {
  "one",
  "two",
};
extern int errno_like;
static int (*hook)(int) = NULL;
static const struct { int code; const char* text; } messages[] = {{1, "a"}};
struct config { int depth; } defaults = { 3 };

/* Make a ring. */
/* Never fails. */
ring_t* ring_new(size_t n) {
  int local = 0;
  static int calls;
  struct slot* s = malloc(n);
  struct local_only { int z; } lo;
  return NULL;
}

static inline void ring_free(ring_t* r)
{
  (void) r;
}

static int ring_grow(ring_t* r,
                     size_t by,
                     compare_fn cmp) {
  return 0;
}

char** ring_names(void) { return NULL; }

int (*ring_pick(int kind))(int) {
  return hook;
}

static int ring_hidden(int x);

__attribute__((noreturn)) static void die(const char* why) { abort(); }

#ifdef _WIN32
int ring_open(const wchar_t* path) { return 1; }
#else
int ring_open(const char* path) { return 2; }
#endif

int old_style(a, b)
  int a;
  char* b;
{
  return a;
}

TEST_IMPL(ring_wraps) {
  ring_t* r = ring_new(1);
  return 0;
}
