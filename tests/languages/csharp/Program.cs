var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();
app.MapGet("/", () => "hi");
app.Run();

static int Add(int a, int b) => a + b;

partial class Program { }
