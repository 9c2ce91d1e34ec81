/* Works before the breakage. */
int before(int x) { return x; }

static void half( {
  if (
}

/* Works after it. */
int after(int y) { return y; }

struct still_here { int z; };
