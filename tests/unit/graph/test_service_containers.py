"""What a service container returns: an instance of the class that it is asked for."""

from __future__ import annotations

import pytest

from tests.unit.graph.related import calls

_PHP = """<?php
class Cart { function clear() {} }
class Other { function clear() {} }
function of_laravel() {
    app(Cart::class)->clear();
    $cart = resolve(Cart::class); $cart->clear();
    $this->app->make(Cart::class)->clear();
    App::make(Cart::class)->clear();
    static::getContainer()->get(Cart::class)->clear();
    $manager->getRepository(Cart::class)->clear();
    $map->get(Cart::class)->clear();
    app(Cart::NAME)->clear();
}
"""
_CSHARP = """
class Cart { public void Clear() {} }
class Other { public void Clear() {} }
class Shop {
    void Run(IServiceProvider provider) {
        provider.GetRequiredService<Cart>().Clear();
        var cart = provider?.GetService<Cart>();
        cart?.Clear();
        Resolve<Cart>().Clear();
        provider.OfType<Cart>().Clear();
    }
}
"""
_JAVA = """
class Cart { void clear() {} }
class Other { void clear() {} }
class Shop {
    void run(ApplicationContext context, Injector injector) {
        context.getBean(Cart.class).clear();
        var cart = injector.getInstance(Cart.class);
        cart.clear();
        context.getProvider(Cart.class).clear();
    }
}
"""
_KOTLIN = """
class Cart { fun clear() {} }
class Other { fun clear() {} }
class Shop {
    private val cart by inject<Cart>()
    fun run() {
        cart.clear()
        getKoin().get<Cart>().clear()
        val late by lazy<Cart> { Cart() }
        late.clear()
        provide<Cart>().clear()
    }
}
"""
_TYPESCRIPT = """
class Cart { clear() {} }
class Other { clear() {} }
class Shop {
    private cart = inject(Cart);
    run() {
        this.cart.clear();
        TestBed.inject(Cart).clear();
        this.injector.get(Cart).clear();
        new Map().get(Cart).clear();
        inject(TOKEN).clear();
    }
}
"""


@pytest.mark.parametrize(
    ("path", "source", "method", "lines"),
    [
        ("main.php", _PHP, "clear", {5, 6, 7, 8, 9}),
        ("Main.cs", _CSHARP, "Clear", {6, 8, 9}),
        ("Main.java", _JAVA, "clear", {6, 8}),
        ("Main.kt", _KOTLIN, "clear", {7, 8, 10}),
        ("main.ts", _TYPESCRIPT, "clear", {7, 8, 9}),
    ],
)
def test_containers_return_an_instance_of_the_class_they_are_asked_for(
    path: str, source: str, method: str, lines: set[int]
) -> None:
    found = {line for line, target in calls({path: source}, path) if target.endswith(f".{method}")}
    assert found == lines
