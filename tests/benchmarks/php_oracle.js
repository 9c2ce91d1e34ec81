/* Where intelephense, a language server, finds the definitions of a sample of names in PHP.
 *
 *     node php_oracle.js SERVER ROOT COUNT < files
 *
 * SERVER is the folder of the npm package intelephense; arguments, input and output are those of
 * typescript_oracle.js. Asked are names of members, functions and classes where they are used.
 */
"use strict";
const childProcess = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");
const { pathToFileURL, fileURLToPath } = require("url");

const root = fs.realpathSync(process.argv[3]);
const count = Number(process.argv[4]);
const files = fs.readFileSync(0, "utf8").split("\n").filter((file) => /\.php$/.test(file));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "php-oracle-"));
const server = childProcess.spawn(
  process.execPath,
  [path.resolve(process.argv[2], "lib/intelephense.js"), "--stdio"],
  { stdio: ["pipe", "pipe", "ignore"] },
);

let received = Buffer.alloc(0);
let last = 0;
const waiting = new Map();
let indexed;
const indexing = new Promise((resolve) => { indexed = resolve; });

function send(message) {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function request(method, params) {
  send({ id: ++last, method, params });
  return new Promise((resolve) => waiting.set(last, resolve));
}

function handle(message) {
  if (message.method === "indexingEnded") indexed();
  if (message.method && message.id !== undefined) {
    const items = message.method === "workspace/configuration" ? message.params.items : null;
    send({ id: message.id, result: items ? items.map(() => ({})) : null });
  } else if (waiting.has(message.id)) {
    waiting.get(message.id)(message.result);
    waiting.delete(message.id);
  }
}

server.stdout.on("data", (chunk) => {
  received = Buffer.concat([received, chunk]);
  for (;;) {
    const head = received.indexOf("\r\n\r\n");
    if (head < 0) return;
    const size = Number(/Content-Length: (\d+)/i.exec(received.toString("ascii", 0, head))[1]);
    if (received.length < head + 4 + size) return;
    const body = received.toString("utf8", head + 4, head + 4 + size);
    received = received.subarray(head + 4 + size);
    handle(JSON.parse(body));
  }
});

/* Comments and strings as spaces, so that offsets stay. */
function code(text) {
  const skipped = /\/\*[^]*?\*\/|(?:\/\/|#(?!\[)).*|'(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"/g;
  return text.replace(skipped, (found) => found.replace(/[^\n]/g, " "));
}

const PLACES = [
  /(?:->|::)\s*\$?([A-Za-z_]\w*)/g,
  /\bnew\s+[\\\w]*?([A-Za-z_]\w*)\s*[(;,)]/g,
  /(?<![\w$>:\\]|function\s|new\s)([A-Za-z_]\w*)\s*\(/g,
  /(?<![\w$>:])([A-Z]\w*)(?=::|\s+\$\w)/g,
  /\b(?:extends|implements|instanceof)\s+[\\\w]*?([A-Za-z_]\w*)\b(?!\\)/g,
];

const KEYWORDS = new RegExp("^(?:array|catch|declare|echo|elseif|empty|eval|exit|fn|for|foreach|" +
  "function|if|isset|list|match|parent|print|return|self|static|switch|unset|use|while)$", "i");

function names(file) {
  const text = fs.readFileSync(path.join(root, file), "utf8");
  return code(text).split("\n").flatMap((line, row) => {
    if (/^\s*(use|namespace)\s/.test(line) || /\bfunction\s+&?\w+\s*\(/.test(line)) return [];
    const words = line.match(/\w+/g) || [];
    const found = new Map();
    for (const pattern of PLACES) {
      for (const match of line.matchAll(pattern)) {
        const at = match.index + match[0].lastIndexOf(match[1]);
        const called = /^\s*\(/.test(line.slice(at + match[1].length));
        if (KEYWORDS.test(match[1])) continue;
        if (count === 0 || words.filter((word) => word === match[1]).length === 1)
          found.set(at, [file, row, at, match[1], called]);
      }
    }
    return [...found.values()];
  });
}

function target(link, name) {
  const file = fileURLToPath(link.targetUri || link.uri);
  const inside = path.relative(root, file);
  const isInside = !inside.startsWith("..") && !/(^|\/)(vendor|node_modules)\//.test(inside);
  const { start } = link.targetSelectionRange || link.range;
  const lines = isInside ? fs.readFileSync(file, "utf8").split("\n") : [];
  const text = (lines[start.line] || "").slice(start.character);
  const called = /^[\s$&]*(?:(?:abstract|final|readonly|class|interface|trait|enum)\s+)*(\w+)/.exec(text);
  return [isInside ? inside : null, start.line + 1, called ? called[1] : name, "definition"];
}

let seed = 7;
function random() {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return seed / 2 ** 32;
}

async function main() {
  const uri = pathToFileURL(root).href;
  await request("initialize", {
    processId: process.pid, rootUri: uri, rootPath: root,
    capabilities: { textDocument: { definition: { linkSupport: true } } },
    workspaceFolders: [{ uri, name: "root" }],
    initializationOptions: { storagePath: scratch, globalStoragePath: scratch, clearCache: true },
  });
  send({ method: "initialized", params: {} });
  await indexing;
  const all = files.flatMap(names);
  for (let at = all.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [all[at], all[other]] = [all[other], all[at]];
  }
  const opened = new Set();
  let counted = 0;
  for (const [file, row, column, name, called] of all) {
    if (count !== 0 && counted >= count) break;
    const document = pathToFileURL(path.join(root, file)).href;
    if (!opened.has(file)) {
      opened.add(file);
      const text = fs.readFileSync(path.join(root, file), "utf8");
      const textDocument = { uri: document, languageId: "php", version: 1, text };
      send({ method: "textDocument/didOpen", params: { textDocument } });
    }
    const position = { line: row, character: column };
    const answer = await request("textDocument/definition", {
      textDocument: { uri: document }, position,
    });
    const targets = [answer || []].flat().map((location) => target(location, name));
    if (targets.some(([inside]) => inside)) counted++;
    console.log(JSON.stringify([file, row + 1, column, name, targets, called ? "call" : ""]));
  }
  server.kill();
  fs.rmSync(scratch, { recursive: true, force: true });
}

main();
