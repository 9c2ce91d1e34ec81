using System;
using Money = System.Decimal;

namespace Shop.Stock;

/// <summary>
/// Keeps count of things.
/// </summary>
/// <typeparam name="T">The things.</typeparam>
[Serializable]
[DebuggerDisplay("{Name}")]
public abstract partial class Inventory<T> : Store, IDisposable where T : class
{
    private const int Max = 3, Min = 1;
    public static readonly Inventory<T> Empty = Create();
    private readonly ILogger _logger;
    [NonSerialized]
    private int _count;

    public event EventHandler? Changed;
    public event EventHandler Closed { add { } remove { } }

    /// <summary>The name of it.</summary>
    [JsonPropertyName("name")]
    public string Name { get; set; } = "";
    public int Length => _count;
    public required string Owner { get; init; }
    public T this[int index] => Find(index);

    public Inventory(int count, ILogger logger) : base(logger)
    {
        _count = count;
        const int local = 1;
        var other = 2;
    }

    static Inventory() { }

    ~Inventory() { }

    /// <summary>Runs.</summary>
    /// <param name="input">What to run.</param>
    public async Task<int> RunAsync<U>(
        U input,
        CancellationToken token = default)
        where U : new()
    {
        void Local(int x) { }
        Func<int, int> twice = x => x * 2;
        return await Task.FromResult(1);
    }

    public abstract void Close();
    public static Inventory<T> operator +(Inventory<T> a, Inventory<T> b) => a;
    public static bool operator ==(Inventory<T> a, Inventory<T> b) => true;
    public static implicit operator int(Inventory<T> a) => a._count;
    void IDisposable.Dispose() { }
    int ICounter.Count => 1;
    protected internal virtual T? Find(int index) => null;
    public override string ToString() => $"{Name}";

    public delegate void Handler(object sender, T item);

    private enum State { Open, Closed = 2 }

    private sealed class Node
    {
        public Node? Next;
    }
}

// Any person.
public record Person(string First, string Last);

public record struct Point(int X, int Y)
{
    public double Norm() => Math.Sqrt(X * X + Y * Y);
}

public readonly struct Size { public int Width { get; } }

public interface IStore<in T>
{
    void Add(T item);
    int Count { get; }
}

public static class StringExtensions
{
    public static string Shout(this string text) => text.ToUpper();
}

#if NET8_0_OR_GREATER
public class Modern
{
#region Private
    private int hidden;
#endregion
}
#endif

[Flags]
public enum Access : byte
{
    None = 0,
    /// <summary>May read.</summary>
    Read = 1,
}
