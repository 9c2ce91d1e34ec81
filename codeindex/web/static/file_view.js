// Show a file at a line, and what is known of the symbol there.

import { element, pathNodes } from "./dom.js";
import { get, highlight, isStatic } from "./server.js";
import { colour } from "./results.js";

const BEFORE = 100;
const WINDOW = 400;

export async function showFile(panel, place, linkTo, isCurrent) {
  const line = Number.parseInt(place.line, 10) || 1;
  const start = Math.max(1, line - BEFORE);
  const range = { repo: place.repo, path: place.file, start_line: start, end_line: start + WINDOW - 1 };
  const read = await get("read", range);
  if (!isCurrent()) return;
  const section = read.sections[0] || { content: "", start_line: start };
  const lines = section.content.replace(/\n$/, "").split("\n");
  const last = section.start_line + lines.length - 1;
  const link = (number, text) => element("a", { href: linkTo(place.file, number) }, text);
  const code = element("code");
  lines.forEach((text, row) => {
    const number = section.start_line + row;
    code.append(element("span", { class: "line", id: `L${number}`, "aria-current": number === line ? "true" : null },
      element("span", { class: "number" }, String(number)), element("span", { class: "text" }, text)));
  });
  const aside = element("aside", { "aria-label": "Symbol" });
  panel.replaceChildren(
    element("div", { class: "file-head" },
      element("h2", {}, ...pathNodes(place.file)),
      element("span", { class: "place" }, `lines ${section.start_line} to ${last} of ${read.total_lines}`),
      element("button", { type: "button", id: "close-file" }, "Close")),
    aside,
    section.start_line > 1 ? element("p", { class: "more" }, link(Math.max(1, start - WINDOW + BEFORE), "Earlier lines")) : "",
    element("pre", { tabindex: "0", "aria-label": `Code of ${place.file}` }, code),
    last < read.total_lines ? element("p", { class: "more" }, link(last + BEFORE, "Later lines")) : "");
  const current = code.querySelector('[aria-current="true"]');
  if (current) {
    const pre = code.parentElement;
    pre.scrollTop = current.offsetTop - pre.offsetTop - pre.clientHeight / 3;
  }
  showSymbol(aside, place, line, linkTo, isCurrent);
  const [styles] = await highlight([[read.language, section.content]]);
  if (isCurrent()) colour(code, styles);
}

function innermost(declarations, line) {
  const around = declarations.filter((symbol) => symbol.line <= line && line <= symbol.end_line);
  return around.reduce((best, symbol) => (best && best.line > symbol.line ? best : symbol), null);
}

async function showSymbol(aside, place, line, linkTo, isCurrent) {
  const parts = await get("declarations", { repo: place.repo, path: place.file }).catch(() => null);
  if (!isCurrent() || !parts) return;
  const symbol = innermost(flatten(parts.declarations), line);
  const outline = element("details", {}, element("summary", {}, `Declarations (${parts.declarations.length})`),
    element("ul", {}, ...parts.declarations.map((each) => element("li", {},
      element("a", { href: linkTo(place.file, each.line) }, each.name), ` ${each.kind}`))));
  if (!symbol) return aside.replaceChildren(outline);
  aside.replaceChildren(element("h3", {}, symbol.name, element("span", { class: "kind" }, symbol.kind)), outline);
  if (isStatic) return undefined; // an exported site has no graph
  const name = { repo: place.repo, symbol: `${place.file}::${symbol.name}` };
  const ask = (route) => get(route, name).catch((error) => ({ error: error.message }));
  const [callers, callees, tests] = await Promise.all([ask("callers"), ask("callees"), ask("tests")]);
  if (!isCurrent()) return undefined;
  const uses = (rows) => rows?.map((row) => [row.name || row.file, row.file, row.lines?.[0] ?? row.line, row.certainty]);
  const calls = (rows) => rows?.map((row) => [row.name, row.file, row.line, row.certainty]);
  outline.before(
    relation("Callers", callers.error, uses(callers.callers), linkTo),
    relation("Calls", callees.error, calls(callees.callees), linkTo),
    relation("Tests", tests.error, uses(tests.tests), linkTo));
  return undefined;
}

function flatten(declarations) {
  return declarations.flatMap((each) => [each, ...flatten(each.children || [])]);
}

function relation(title, error, rows, linkTo) {
  const items = (rows || []).map(([name, file, line, certainty]) => element("li", {},
    file ? element("a", { href: linkTo(file, line || 1) }, name) : name,
    certainty && certainty !== "resolved" ? " (possible)" : null,
    element("span", { class: "place" }, file ? `${file}:${line || 1}` : "outside of the repository")));
  const none = error || "None known.";
  return element("section", { class: "relation" }, element("h4", {}, title),
    items.length ? element("ul", {}, ...items) : element("p", { class: "more" }, none));
}
