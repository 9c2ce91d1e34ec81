// Connect the page: fields and keys change the address, and the address decides what is shown.

import { addressOf, readAddress } from "./address.js";
import { byId, element } from "./dom.js";
import { showFile } from "./file_view.js";
import { showAnswer, showMap, showResults } from "./results.js";
import { get, isStatic } from "./server.js";

const PAUSE = 40; // milliseconds to wait for another key while somebody types
const QUIET = 200; // milliseconds without a key after which the next one is sent at once
const POLL = 2000;
const SELECTED = ["repo", "language", "kind"];
const FILTERS = [...SELECTED, "path", "module"];

let state = readAddress();
let shownList = "";
let shownFile = "";
let pending = new AbortController();
let timer = 0;
let lastKey = -QUIET;
let isPartialAnswer = false; // of an index that was being made
let failure = "";
let progress = "";

function notify() {
  const text = failure || progress;
  if (byId("notice").textContent !== text) byId("notice").textContent = text;
  byId("notice").className = failure ? "failure" : "";
}

function linkOf(changes) {
  return addressOf({ ...state, ...changes });
}

function go(changes, { replace = false } = {}) {
  state = { ...state, ...changes };
  history[replace ? "replaceState" : "pushState"](null, "", addressOf(state));
  render();
}

function linkTo(file, line = 1, repository = state.in || state.repo) {
  return linkOf({ file, line: String(line), in: repository });
}

function fillFields() {
  for (const name of FILTERS) {
    const field = byId(name);
    const isMissing = field.options && ![...field.options].some((each) => each.value === state[name]);
    if (isMissing) field.append(new Option(state[name], state[name]));
    if (field.value !== state[name]) field.value = state[name];
  }
  if (byId("query").value.trim() !== state.q) byId("query").value = state.q;
  for (const mode of ["search", "ask", "map"]) {
    byId(`mode-${mode}`).setAttribute("aria-pressed", String((state.view || "search") === mode));
  }
  document.title = state.file || state.q ? `${state.file || state.q} – codeindex` : "codeindex";
}

async function renderList() {
  const key = JSON.stringify(["q", "view", ...FILTERS].map((name) => state[name]));
  if (key === shownList) return;
  shownList = key;
  pending.abort();
  pending = new AbortController();
  const { signal } = pending;
  const isCurrent = () => !signal.aborted;
  const list = byId("list");
  try {
    if (state.view === "map") {
      const tree = await get("tree", { repo: state.repo, path: state.path, depth: 1 }, signal);
      if (isCurrent()) showMap(list, tree, (path) => linkTo(path, 1, state.repo), (path) => linkOf({ path, file: "" }));
    } else if (!state.q) {
      list.replaceChildren(element("p", { class: "empty" }, state.view === "ask"
        ? "Ask how, where or why something is done; each sentence of the answer cites its place."
        : "Type words that describe the code, a name, or a pasted error message."));
    } else if (state.view === "ask") {
      const answer = await get("ask", { repo: state.repo, query: state.q, path: state.path }, signal);
      if (isCurrent()) showAnswer(list, answer, (path, line, repo) => linkTo(path, line, repo || state.repo));
    } else {
      const filters = Object.fromEntries(FILTERS.map((name) => [name, state[name]]));
      const page = (cursor) => get("search", { q: state.q, ...filters, cursor }, signal);
      const answer = await page("");
      if (isCurrent()) isPartialAnswer = answer.readiness?.words < 1;
      const link = (hit) => linkTo(hit.file_path, hit.line, hit.repo);
      if (isCurrent()) await showResults(list, answer, link, isCurrent, page);
    }
    if (isCurrent()) failure = "";
  } catch (error) {
    if (error.name === "AbortError" || !isCurrent()) return;
    failure = error.message;
    shownList = "";
    list.replaceChildren();
  }
  notify();
}

async function renderFile() {
  const panel = byId("file");
  const key = state.file ? JSON.stringify([state.file, state.line, state.in]) : "";
  panel.hidden = !state.file;
  document.body.classList.toggle("has-file", Boolean(state.file));
  if (key === shownFile) return;
  shownFile = key;
  panel.replaceChildren();
  if (!key) return;
  const place = { file: state.file, line: state.line, repo: state.in || state.repo };
  try {
    await showFile(panel, place, linkTo, () => shownFile === key);
  } catch (error) {
    if (shownFile !== key) return;
    panel.replaceChildren(element("div", { class: "file-head" }, element("h2", {}, state.file),
      element("button", { type: "button", id: "close-file" }, "Close")), element("p", { class: "empty" }, error.message));
  }
}

function render() {
  fillFields();
  renderList();
  renderFile();
}

function typed(event) {
  clearTimeout(timer);
  const isField = event.target.id === "query";
  const change = () => go(isField ? { q: byId("query").value.trim() } : { [event.target.id]: event.target.value.trim() },
    { replace: true });
  if (isField && state.view === "ask") return; // a question is sent by Enter
  const sinceLastKey = event.timeStamp - lastKey;
  lastKey = event.timeStamp;
  if (sinceLastKey >= QUIET) change();
  else timer = setTimeout(change, PAUSE);
}

function closeFile() {
  const { file, line } = state;
  go({ file: "", line: "", in: "" });
  const links = [...document.querySelectorAll("#list a.result")];
  const opened = links.find((link) => {
    const given = new URL(link.href).searchParams;
    return given.get("file") === file && given.get("line") === line;
  });
  (opened || byId("query")).focus();
}

function moveFocus(step) {
  const links = [...document.querySelectorAll("#list a.result")];
  const position = links.indexOf(document.activeElement);
  if (position + step < 0) byId("query").focus();
  else links[Math.min(position + step, links.length - 1)]?.focus();
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  const isTyping = event.target.matches("input, select, textarea");
  const isInList = event.target.id === "query" || event.target.matches("#list a");
  if (event.key === "/" && !isTyping) byId("query").select();
  else if (event.key === "?" && !isTyping) byId("help").showModal();
  else if (event.key === "ArrowDown" && (isInList || event.target === document.body)) moveFocus(1);
  else if (event.key === "ArrowUp" && event.target.matches("#list a")) moveFocus(-1);
  else if (event.key === "Escape" && state.file) closeFile();
  else if (event.key === "Escape" && event.target.id !== "query") byId("query").focus();
  else return;
  event.preventDefault();
}

function followed(event) {
  if (event.target.id === "close-file") return closeFile();
  const link = event.target.closest?.("a[href]");
  if (!link || link.classList.contains("page") || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return undefined;
  event.preventDefault();
  history.pushState(null, "", link.href);
  state = readAddress();
  return render();
}

function submitted(event) {
  event.preventDefault();
  clearTimeout(timer);
  const q = byId("query").value.trim();
  if (q !== state.q) go({ q });
  else document.querySelector("#list a.result")?.click();
}

function setOptions(field, values, all) {
  const chosen = field.value || state[field.id];
  const options = [["", all], ...values.map((value) => [value, value])];
  if (chosen && !values.includes(chosen)) options.push([chosen, chosen]);
  if ([...field.options].map((each) => each.value).join("\n") === options.map(([value]) => value).join("\n")) return;
  field.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
  field.value = chosen;
}

// Show links to the other pages of an exported site.
function showPages(pages) {
  byId("pages").hidden = !pages.length;
  byId("pages").replaceChildren(...pages.map(([title, href]) => element("a", { href, class: "page" }, title)));
}

async function watchStatus() {
  try {
    const { repos, kinds, pages } = await get("status");
    showPages(pages || []);
    const isPartial = (repo) => !repo.indexed || repo.readiness.words < 1;
    const working = repos.filter((repo) => repo.doing && isPartial(repo));
    const missing = repos.filter((repo) => !repo.indexed && !repo.doing);
    progress = working.map((repo) => `${repo.repo}: ${repo.doing}; answers are partial.`).join(" ")
      || missing.map((repo) => `${repo.repo} has no index yet: run \`codeindex index\` in it.`).join(" ");
    setOptions(byId("repo"), repos.map((repo) => repo.repo), "all");
    setOptions(byId("language"), [...new Set(repos.flatMap((repo) => Object.keys(repo.languages || {})))].sort(), "any");
    setOptions(byId("kind"), kinds, "any");
    const wasUnreachable = failure && !shownList;
    if (isPartialAnswer && !working.length) {
      isPartialAnswer = false;
      shownList = "";
      renderList();
    } else if (wasUnreachable) renderList();
  } catch (error) {
    progress = error.message;
  }
  notify();
  if (!isStatic) setTimeout(watchStatus, document.hidden ? POLL * 5 : POLL);
}

byId("form").addEventListener("submit", submitted);
byId("query").addEventListener("input", typed);
for (const name of FILTERS) byId(name).addEventListener(SELECTED.includes(name) ? "change" : "input", typed);
for (const mode of ["search", "ask", "map"]) {
  byId(`mode-${mode}`).addEventListener("click", () => go({ view: mode === "search" ? "" : mode, file: "", line: "", in: "" }));
}
byId("mode-ask").hidden = isStatic;
byId("show-help").addEventListener("click", () => byId("help").showModal());
document.addEventListener("keydown", pressed);
document.addEventListener("click", followed);
addEventListener("popstate", () => { state = readAddress(); render(); });
render();
watchStatus();
