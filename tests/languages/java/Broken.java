class Broken {
    int good = 1;

    void half(int a, {
        return;
    }

    String after() { return "x" }

    private static final String KEY = ;
}

interface Last { void run(); }
