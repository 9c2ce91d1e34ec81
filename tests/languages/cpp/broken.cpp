LIB_BEGIN_NAMESPACE

// Still found.
int before(int x) { return x; }

class Half {
  void ok() {}
  void bad( {
};

struct After {
  int z = 1;
  void fine() {}
};

LIB_END_NAMESPACE
