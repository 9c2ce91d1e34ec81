/// Carts and what is in them.
library shop.cart;

import 'dart:async';
import 'package:meta/meta.dart';
export 'item.dart' show Item;
part 'cart.g.dart';

/// How long a cart lives.
const Duration lifetime = Duration(hours: 2);
final _log = Logger('cart');
var openCarts = 0, closedCarts = 0;
late final String region;
int? lastId;

typedef Price = num;
typedef void Listener(Cart cart);
typedef Compare<T> = int Function(T a, T b);

/// What can be put into a cart.
///
/// Items are compared by [sku].
@immutable
abstract class Item implements Comparable<Item> {
  const Item(this.sku, {required this.price});

  final String sku;
  final Price price;
  static const int maxSku = 12;
  static int _count = 0;

  /// An item out of JSON.
  factory Item.fromJson(Map<String, dynamic> json) => _JsonItem(json);

  String get label;
  set label(String value);

  @override
  int compareTo(Item other) => sku.compareTo(other.sku);
}

@JsonSerializable(explicitToJson: true)
class Cart<T extends Item> extends Container with Loggable<T>, Timed implements Sink<T> {
  /// An empty cart.
  Cart(this.owner) : super('cart') {
    openCarts++;
  }

  Cart.of(this.owner, Iterable<T> items) {
    _items.addAll(items);
  }

  const Cart.empty() : owner = null;

  external factory Cart.native();

  final String? owner;
  final List<T> _items = [], _later = [];
  late Timer timer;
  void Function(T)? onAdd;

  int get length => _items.length;

  /// Whether nothing is in it.
  bool get isEmpty {
    return _items.isEmpty;
  }

  set discount(double value) => _discount = value;
  double _discount = 0;

  @override
  void add(T item, [int count = 1]) {
    void repeat(int n) {
      for (var i = 0; i < n; i++) _items.add(item);
    }

    repeat(count);
    onAdd?.call(item);
  }

  T operator [](int index) => _items[index];
  void operator []=(int index, T item) => _items[index] = item;
  @override
  bool operator ==(Object other) => other is Cart && other.owner == owner;

  Future<Price> total({required Rates rates}) async {
    final sum = _items.fold<num>(0, (s, i) => s + i.price);
    return sum * (await rates.current);
  }

  Stream<T> drain() async* {
    while (_items.isNotEmpty) {
      yield _items.removeLast();
    }
  }

  Iterable<int> sizes() sync* {
    yield length;
  }

  static Cart<T> merge<T extends Item>(Cart<T> a, Cart<T> b) => a;

  external int nativeHandle();
}

mixin Loggable<T> on Container {
  void log(String message) => _log.info(message);
}

mixin class Timed {
  DateTime? startedAt;
}

base mixin Locked {}

sealed class Result<T> {}

final class Ok<T> extends Result<T> {
  Ok(this.value);
  final T value;
}

class Err extends Result<Never> {}

interface class Rates {
  Future<num> get current async => 1;
}

class Alias = Container with Timed;

/// Where a cart stands.
enum State { open, paid, shipped }

enum Planet implements Comparable<Planet> {
  /// Closest to the sun.
  mercury(mass: 3.3e23),
  @deprecated
  venus(mass: 4.9e24);

  const Planet({required this.mass});
  final double mass;

  double get weight => mass * 9.81;
}

/// More for strings.
extension Parsing on String {
  int toInt() => int.parse(this);
  bool get isBlank => trim().isEmpty;
}

extension on int {
  int doubled() => this * 2;
}

extension type UserId(int id) implements int {
  UserId.parse(String text) : id = int.parse(text);
  bool get isRoot => id == 0;
}

/// Start here.
Future<void> main(List<String> args) async {
  final cart = Cart<Item>('ada');
  int helper(int x) => x + 1;
  print(helper(cart.length));
}

int get answer => 42;
set answer(int value) {}

T first<T>(List<T> list) => list.first;

external void alert(String text);

(int, String) pair() => (1, 'one');

class _CartWidgetState extends State<CartWidget> with TickerProviderStateMixin {
  @override
  Widget build(BuildContext context) {
    return Column(children: [Text('a'), ElevatedButton(onPressed: () {}, child: Text('b'))]);
  }
}
