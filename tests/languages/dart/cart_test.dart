import 'package:test/test.dart';

void main() {
  late Cart cart;

  setUp(() {
    cart = Cart('ada');
  });

  group('add', () {
    test('puts an item in', () {
      cart.add(item);
      expect(cart.length, 1);
    });

    test('awaits rates', () async => expect(await cart.total(), 0));
  });

  testWidgets('shows the total', (tester) async {
    await tester.pumpWidget(CartWidget());
  });
}
