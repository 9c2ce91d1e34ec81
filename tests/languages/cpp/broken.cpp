LIB_BEGIN_NAMESPACE

// Still found.
int before(int x) { return x; }

class Half {
  void ok() {}
  void bad( {
};

LIB_API std::string exported(const std::string& text) { return text; }
template <typename T> LIB_CONSTEXPR auto chained(T value) -> T { return value; }

struct After {
  int z = 1;
  void fine() {}
};

LIB_END_NAMESPACE
