// Show the results of a search, the answer to a question and the map of a repository.

import { codeLine, element, pathNodes } from "./dom.js";
import { highlight } from "./server.js";

const SHOWN_LINES = 8;
const COLOUR_PAUSE = 150; // milliseconds: while somebody types, colours would delay the next results

// Return the first lines of a result that hold a word of the query, or its first lines.
function excerpt(hit, words) {
  const lines = hit.content.split("\n");
  while (lines.length > 1 && !lines.at(-1).trim()) lines.pop();
  const isMatch = (line) => words.some((word) => line.toLowerCase().includes(word));
  const match = Math.max(0, lines.findIndex(isMatch));
  const start = match < SHOWN_LINES ? 0 : match - 2;
  return { start, lines: lines.slice(start, start + SHOWN_LINES), hidden: lines.length - start - SHOWN_LINES };
}

function resultItem(hit, link, words, showsRepository) {
  const { start, lines, hidden } = excerpt(hit, words);
  const code = element("code");
  lines.forEach((line, row) => code.append(element("span", { class: "line" },
    element("span", { class: "number" }, String(hit.start_line + start + row)),
    element("span", { class: "text" }, line))));
  const title = hit.symbol || hit.heading_path || hit.file_path.split("/").at(-1);
  const place = `${showsRepository ? `${hit.repo}: ` : ""}${hit.file_path}:${hit.line}`;
  const item = element("li", {},
    element("a", { class: "result", href: link },
      element("span", { class: "title" }, title, element("span", { class: "kind" }, hit.kind)),
      element("span", { class: "place" }, ...pathNodes(place))),
    element("pre", { class: hit.heading_path ? "prose" : "source" }, code),
    hidden > 0 ? element("p", { class: "more" }, `${hidden} more ${hidden === 1 ? "line" : "lines"}`) : null);
  return { item, code, hit, start, count: lines.length };
}

// Show the first page of results. `next` returns the page after a cursor.
export async function showResults(list, answer, linkOf, isCurrent, next) {
  const hits = [...answer.results, ...answer.navigation];
  if (!hits.length) {
    list.replaceChildren(element("p", { class: "empty" },
      "No results for these words and filters. Use other words, or remove a filter."));
    return;
  }
  const count = element("p", { class: "count", role: "status" });
  const items = element("ol", {});
  list.replaceChildren(count, ...notes(answer), items);
  await addPage(list, answer, linkOf, isCurrent, next);
}

// Return what a reader must know of the results: that they may not answer, and which words no file has.
function notes(answer) {
  const missing = answer.missing_words?.length ? `No file has ${answer.missing_words.join(", ")}.` : "";
  const weak = answer.confidence === "weak" ? "Weak: the code may not have this." : "";
  const suggestions = weak ? (answer.suggestions || []).map((text) => `${text}.`) : [];
  const text = [weak, missing, ...suggestions].filter(Boolean).join(" ");
  return text ? [element("p", { class: "note" }, text)] : [];
}

const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

// Return how many results are shown. Only of a relation all are counted: of a search, the best are.
function countOf(answer, shown) {
  if (!answer.meta?.relation) return `${counted(shown, "result")}${shown > 1 ? ", best first" : ""}`;
  const total = Math.max(answer.total_count || 0, shown);
  return total > shown ? `First ${shown} of ${counted(total, "place")}` : counted(total, "place");
}

// Add a page of results below those that are shown, and a button for the page after it.
async function addPage(list, answer, linkOf, isCurrent, next) {
  const ordered = list.querySelector("ol");
  const hits = [...answer.results, ...answer.navigation];
  const words = answer.query.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter((word) => word.length > 2);
  const showsRepository = new Set(hits.map((hit) => hit.repo)).size > 1 || (answer.searched_repos || []).length > 1;
  const items = hits.map((hit) => resultItem(hit, linkOf(hit), words, showsRepository));
  list.querySelector("#more")?.remove();
  ordered.append(...items.map(({ item }) => item));
  const shown = ordered.children.length;
  list.querySelector(".count").textContent = countOf(answer, shown);
  if (answer.cursor) list.append(moreButton(list, answer.cursor, linkOf, isCurrent, next));
  await new Promise((resolve) => setTimeout(resolve, COLOUR_PAUSE));
  if (!isCurrent()) return;
  const styles = await highlight(hits.map((hit) => [hit.language, hit.content]));
  if (!isCurrent()) return;
  items.forEach(({ code, start }, index) => colour(code, styles[index], start));
}

function moreButton(list, cursor, linkOf, isCurrent, next) {
  const button = element("button", { type: "button", id: "more" }, "More results");
  button.addEventListener("click", async () => {
    button.disabled = true;
    const first = list.querySelector("ol").children.length;
    try {
      const answer = await next(cursor);
      if (!isCurrent()) return;
      addPage(list, answer, linkOf, isCurrent, next);
      list.querySelectorAll("ol > li")[first]?.querySelector("a").focus();
    } catch (error) {
      if (isCurrent()) button.replaceWith(element("p", { class: "empty", id: "more" }, error.message));
    }
  });
  return button;
}

// Colour lines that are shown, given the spans of all lines of their text.
export function colour(code, styles, start = 0) {
  code.querySelectorAll(".text").forEach((text, row) => {
    const spans = styles?.[start + row];
    if (spans?.length) text.replaceChildren(...codeLine(text.textContent, spans));
  });
}

const TITLES = {
  document: "From the documentation", comment: "From a comment in the code", more: "See also",
};

// Return a text with its names in backticks as code.
function prose(text) {
  return text.split(/`([^`\n]+)`/).map((part, at) => (at % 2 ? element("code", {}, part) : part));
}

function numberedCode(text) {
  const code = element("code");
  for (const line of text.split("\n")) {
    const [, number, content] = line.match(/^\s*(\d+|…) ?(.*)$/) || [null, "", line];
    code.append(element("span", { class: "line" },
      element("span", { class: "number" }, number), element("span", { class: "text" }, content)));
  }
  return element("pre", { class: "source" }, code);
}

export function showAnswer(list, answer, linkOf) {
  let shown = "";
  const items = answer.sentences.map(({ text, part, citations }) => {
    const title = part === "code" ? shown : TITLES[part] || "";
    const heading = title && title !== shown ? element("h2", {}, title) : null;
    shown = title;
    if (part === "code") return element("li", {}, numberedCode(text));
    return element("li", {}, heading, element("p", {}, ...prose(text)),
      element("p", { class: "places" }, ...citations.map(({ path, line, repo }) =>
        element("a", { class: "result", href: linkOf(path, line, repo) }, ...pathNodes(`${path}:${line}`)))));
  });
  list.replaceChildren(items.length
    ? element("ol", { class: "answer" }, ...items)
    : element("p", { class: "empty" }, answer.answer || "Nothing in this repository answers that."));
}

export function showMap(list, tree, linkOf, folderLink) {
  const most = Math.max(1, ...tree.folders.map((folder) => folder.lines));
  const folders = tree.folders.map((folder) => element("li", {},
    element("a", { class: "result", href: folderLink(folder.path) }, `${folder.path}/`),
    element("meter", { max: most, value: folder.lines, "aria-label": `Lines of ${folder.path}` }),
    element("span", { class: "place" }, `${counted(folder.files, "file")}, ${counted(folder.lines, "line")}`)));
  const below = tree.path ? `${tree.path}/` : "";
  const files = tree.entries.filter((entry) => entry.language).map((entry) => element("li", {},
    element("a", { class: "result", href: linkOf(`${below}${entry.name}`) }, entry.name),
    element("span", { class: "place" }, counted(entry.lines, "line"))));
  const parent = tree.path.includes("/") ? tree.path.slice(0, tree.path.lastIndexOf("/")) : "";
  list.replaceChildren(
    element("h2", {}, tree.path || "Repository"),
    element("p", { class: "count" }, `${counted(tree.files, "file")}, ${counted(tree.lines, "line")}`),
    element("ul", { class: "map" },
      tree.path ? element("li", {}, element("a", { class: "result", href: folderLink(parent) }, "../")) : null,
      ...folders, ...files));
}
