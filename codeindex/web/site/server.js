// Answer the page's requests from the files of an exported site, without a server of codeindex.

import { fold, stemmedWords } from "./words.js";

export const isStatic = true;
const KEY_LENGTH = 2; // as `_KEY_LENGTH` of search_data.py
const TEST_SHARE = 0.5; // not measured
const PREFIX_SHARE = 0.6; // a word that only begins like that of the query, as while somebody types
const MOST_PREFIXED = 50;
const GLOB = /[*?[!]/;

const cache = new Map();
const received = new Map();
const loadedBy = new Map();

// Each file of the site calls this: a page that was opened as a local file may run scripts, but not read files.
globalThis.codeindexData = (path, data) => received.set(path, data);

function load(path) {
  if (!cache.has(path)) {
    const loaded = new Promise((resolve, reject) => {
      const script = document.createElement("script");
      const fail = () => reject(new Error(`The file ${path}.js of this site cannot be loaded.`));
      script.addEventListener("load", () => (received.has(path) ? resolve(received.get(path)) : fail()));
      script.addEventListener("error", fail);
      script.src = `${path}.js`;
      document.head.append(script);
      loadedBy.set(path, script);
    }).finally(() => {
      loadedBy.get(path).remove();
      received.delete(path);
    });
    cache.set(path, loaded);
    loaded.catch(() => cache.delete(path));
  }
  return cache.get(path);
}

async function index() {
  const data = await load("data/index");
  data.numbers ??= new Map(data.files.map(([path], number) => [path, number]));
  data.wordKeys ??= new Set(data.words);
  return data;
}

// Return the words that begin like a word, with their postings; null if no code has one.
async function wordFile(word) {
  const key = Array.from(word).slice(0, KEY_LENGTH).map((letter) => letter.codePointAt(0).toString(16)).join("-");
  return (await index()).wordKeys.has(key) ? load(`data/words/${key}`) : null;
}

// Yield [postings, share] of a word of the query: itself, or words that begin with it.
async function postingsOf(word) {
  const words = await wordFile(word);
  if (!words) return [];
  if (Object.hasOwn(words, word)) return [[words[word], 1]];
  const longer = word.length < 3 ? [] : Object.keys(words).filter((each) => each.startsWith(word));
  return longer.slice(0, MOST_PREFIXED).map((each) => [words[each], PREFIX_SHARE]);
}

function globPattern(glob) {
  const escaped = glob.replace(/[.+^${}()|\\]/g, "\\$&");
  const body = escaped.replace(/\*\*\/?|\*|\?/g, (mark) => (mark.startsWith("**") ? ".*" : mark === "*" ? "[^/]*" : "[^/]"));
  return new RegExp(glob.includes("/") ? `^${body.replace(/^\//, "")}(/|$)` : `(^|/)${body}(/|$)`);
}

function fileFilter({ language, path, module }) {
  const folder = (path || "").replace(/^\/+|\/+$/g, "");
  const pattern = path && GLOB.test(path) ? globPattern(path) : null;
  return ([name, known, own]) => (!language || known === language)
    && (!module || own === module || own.startsWith(`${module}.`))
    && (!folder || (pattern ? pattern.test(name) : name === folder || name.startsWith(`${folder}/`)));
}

async function scores(query, data) {
  const every = [...new Set(stemmedWords(query))];
  const content = every.filter((word) => !data.stop.includes(word));
  const words = content.length ? content : every;
  const found = await Promise.all(words.map(postingsOf));
  const total = new Map();
  const matched = new Map();
  found.forEach((lists) => {
    const best = new Map();
    for (const [postings, share] of lists) {
      const rarity = Math.log(1 + data.places.length / (postings.length / 2));
      for (let at = 0; at < postings.length; at += 2) {
        const value = share * rarity * postings[at + 1];
        if (value > (best.get(postings[at]) || 0)) best.set(postings[at], value);
      }
    }
    for (const [place, value] of best) {
      total.set(place, (total.get(place) || 0) + value);
      matched.set(place, (matched.get(place) || 0) + 1);
    }
  });
  for (const [place, value] of total) total.set(place, (value * matched.get(place)) / words.length);
  return total;
}

async function search({ q, kind, limit = "20", cursor = "0", ...filters }) {
  const data = await index();
  const passes = fileFilter(filters);
  const name = fold(q.trim());
  const ranked = [];
  for (const [place, value] of await scores(q, data)) {
    const [file, , , , own, symbol] = data.places[place];
    if ((kind && own !== kind) || !passes(data.files[file])) continue;
    const isNamed = symbol && fold(symbol.split(/[.:#]+/).at(-1)) === name;
    ranked.push([(isNamed ? 10 : 1) * (data.files[file][4] ? TEST_SHARE : 1) * value, place]);
  }
  ranked.sort((one, other) => other[0] - one[0] || one[1] - other[1]);
  const start = Number(cursor);
  const end = start + Number(limit);
  const results = await Promise.all(ranked.slice(start, end).map(([, place]) => hit(data, place)));
  return { query: q, results, navigation: [], total_count: ranked.length, cursor: end < ranked.length ? String(end) : null };
}

async function hit(data, place) {
  const [file, start, end, line, kind, symbol, heading] = data.places[place];
  const whole = await load(`data/files/${file}`);
  const content = whole.content.split("\n").slice(start - 1, end).join("\n");
  return { repo: data.repo, file_path: data.files[file][0], language: data.files[file][1], start_line: start,
    end_line: end, line, kind, symbol, heading_path: heading, content };
}

async function fileOf(path) {
  const number = (await index()).numbers.get(path);
  const file = number === undefined ? null : await load(`data/files/${number}`);
  if (!file) throw new Error(`No file of this site is called ${path}.`);
  return file;
}

async function read({ path, start_line, end_line }) {
  const file = await fileOf(path);
  const start = Math.max(1, Number(start_line) || 1);
  const lines = file.content.split("\n").slice(start - 1, Number(end_line) || undefined);
  return { ...file, sections: [{ start_line: start, content: lines.join("\n") }] };
}

async function tree({ path = "" }) {
  const { files } = await index();
  const below = path ? `${path}/` : "";
  const folders = new Map();
  const entries = [];
  const total = { path, files: 0, lines: 0 };
  for (const [name, language, , lines] of files) {
    if (!name.startsWith(below)) continue;
    total.files += 1;
    total.lines += lines;
    const [first, ...rest] = name.slice(below.length).split("/");
    if (!rest.length) entries.push({ name: first, language, lines });
    else {
      const folder = folders.get(first) || { path: below + first, files: 0, lines: 0 };
      folders.set(first, { ...folder, files: folder.files + 1, lines: folder.lines + lines });
    }
  }
  if (!total.files) throw new Error(`No file of this site is below ${path}.`);
  return { ...total, folders: [...folders.values()], entries };
}

async function status() {
  const { repo, files, kinds, pages } = await index();
  const languages = Object.fromEntries(files.map(([, language]) => [language, true]));
  return { repos: [{ repo, indexed: true, readiness: { words: 1 }, languages }], kinds, pages };
}

const ANSWERS = { search, read, tree, status, declarations: ({ path }) => fileOf(path) };

export async function get(name, parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value !== "" && value != null);
  if (!ANSWERS[name]) throw new Error("This page is without a server, which answers need: run `codeindex ui` in the repository.");
  return ANSWERS[name](Object.fromEntries(given));
}

// The site has no colours of code.
export async function highlight() {
  return [];
}
