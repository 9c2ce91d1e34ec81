// Good before.
public class Before
{
    public void Fine() { }
}

public class Half
{
    public void Bad( { if (
}

// Good after.
public class After
{
    public int Also() => 1;
}
