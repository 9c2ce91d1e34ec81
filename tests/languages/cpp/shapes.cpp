#include <vector>
#define SHAPES_API __declspec(dllexport)

namespace geo::detail {

inline namespace v1 {

/// A closed shape.
///
/// More about it.
template <typename T, typename = void>
class Shape : public Base<T> {
 public:
  explicit Shape(int sides) : sides_(sides) {}
  Shape(const Shape&) = delete;
  template <typename U> Shape(U&& u) : sides_(u.size()) {}
  virtual ~Shape() = default;

  // The area of it.
  virtual double area() const = 0;
  Shape& operator=(Shape&& other) noexcept;
  bool operator==(const Shape& other) const { return true; }
  explicit operator bool() const { return sides_; }
  T& at(int index);
  const char* name() const;

  template <typename U>
  auto map(U fn) -> Shape<U> {
    std::lock_guard<std::mutex> lock(mutex_);
    int local = 3;
    return {};
  }

  enum class Color : int { Red, Green = 2 };
  using value_type = T;
  typedef int foo_t;
  friend class Other;
  friend bool operator<(const Shape& a, const Shape& b);

  static constexpr int kMax = 3;

 private:
  struct Impl;
  struct Node { Node* next; T value; };
  int sides_ = 0;
  std::vector<int> points_, *extra_;
  T& ref_;
  mutable std::mutex mutex_;
};

}  // namespace v1

template <> struct hash<Shape<int>> {
  size_t operator()(const Shape<int>& s) const { return 0; }
};

template <typename T>
T& Shape<T>::at(int index) {
  return points_[index];
}

}  // namespace geo::detail

geo::Pool::Pool(int size) : size_(size) {}
geo::Pool::~Pool() {}
int& geo::Pool::operator[](int i) { return slots[i]; }
geo::Pool::operator bool() const { return true; }
void Pool::run() {}
int Pool::count = 0;

template <typename T> concept Addable = requires(T a) { a + a; };
template <typename T> using Vec = std::vector<T>;
template <typename T> constexpr T pi = T(3.14);

auto square = [](int x) { int y = x; return y * x; };
constexpr int kLimit = 10;
const char* const names[] = {"a", "b"};
namespace fs = std::filesystem;
using std::string;

namespace {
int hidden = 1;
void helper() {}
}  // namespace

std::ostream& operator<<(std::ostream& os, const Pool& p) { return os; }
auto operator""_km(long double v) -> double { return v; }
auto [first, second] = pair();

[[nodiscard]] static inline int quick(int a,
                                      int b) noexcept { return a; }

class SHAPES_API Exported : public Shape<int> {
 public:
  void visible() {}
};

extern template class Shape<int>;

#if defined(_WIN32)
void open_file(const wchar_t* path) {}
#else
void open_file(const char* path) {}
#endif

TEST(ShapeTest, HasArea) {
  Shape<int> s(3);
}

TEST_F(PoolFixture, Grows) { int x = 1; }

TEST_CASE("vectors can be resized", "[vector]") {
  int local = 1;
}
