// Lists and calls the tools of a server with the npm client, and prints what it got as JSON:
// node mcp_client.mjs URL, or node mcp_client.mjs COMMAND ARGUMENT...
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const CALLS = {
  search_code: { query: "take money from a card" },
  find: { query: "charge", mode: "callers" },
  summarize: { path: "shop/pay.py" },
  read: { path: "shop/pay.py", start_line: 1, end_line: 2 },
  status: {},
};

const [first, ...rest] = process.argv.slice(2);
const transport = first.startsWith("http")
  ? new StreamableHTTPClientTransport(new URL(first))
  : new StdioClientTransport({ command: first, args: rest, env: process.env, cwd: process.cwd() });
const client = new Client({ name: "test", version: "1" });
await client.connect(transport);
const found = {
  tools: (await client.listTools()).tools.map((tool) => tool.name),
  resources: (await client.listResources()).resources.map((one) => one.uri),
  answers: {},
};
for (const [name, given] of Object.entries(CALLS)) {
  found.answers[name] = (await client.callTool({ name, arguments: given })).structuredContent;
}
found.refused = await client.callTool({ name: "read", arguments: { path: "../x" } });
await client.close();
console.log(JSON.stringify(found));
