class Good {
  int a = 1;

  int first() => a;

  int second() {
    return a +;
  }

  int third() => 3;

  final = 4;
}

void after() {}
