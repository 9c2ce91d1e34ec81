"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const numbers = new Intl.NumberFormat("en");
const count = (value) => numbers.format(value);
const percent = (share) => (share > 0 && share < 0.005 ? "< 1 %" : `${Math.round(share * 100)} %`);
const plural = (value, one, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`;
const shortName = (path) => path.split("/").slice(-2).join("/");
const sum = (list, of) => list.reduce((all, one) => all + of(one), 0);

/* Text only ever becomes text: nothing of a repository is read as markup. */
function fill(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) if (value !== null) made.setAttribute(key, value);
  made.append(...children.filter((one) => one !== null && one !== undefined));
  return made;
}
const el = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
const svg = (name, attributes, ...children) => fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
/* Lines may break after a slash. */
const path = (text) => el("span", { class: "path" }, ...text.split(/(?<=\/)(?=.)/).flatMap((part, at) => (at ? [el("wbr"), part] : [part])));

function button(text, action, attributes) {
  const made = el("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", action);
  return made;
}

/* What a summary hides is made when it is opened, or printed. */
function folded(summary, make) {
  const made = el("details", {}, el("summary", {}, ...summary));
  made.addEventListener("toggle", () => { if (made.open && made.children.length === 1) made.append(make()); });
  return made;
}

function tiles(place, rows) {
  for (const [name, value, more] of rows)
    place.append(el("div", {}, el("dt", {}, name), el("dd", {}, value, more ? el("small", {}, more) : null)));
}

function stacked(parts, label) {
  const whole = sum(parts, (one) => one.value) || 1;
  const bar = el("div", { class: "bar", role: "img", "aria-label": label });
  const legend = el("ul", { class: "legend" });
  parts.forEach(({ name, value, say }, at) => {
    const part = el("span", { class: `b${at}`, title: `${name}: ${say}` });
    part.style.flexGrow = value / whole;
    bar.append(part);
    legend.append(el("li", {}, el("i", { class: `b${at}` }), `${name} `, el("span", { class: "quiet" }, say)));
  });
  return [bar, legend];
}

/* A column is { name, of, num, show }; rows are sorted by what `of` gives. */
const FIRST_ROWS = 15;
function table(label, columns, rows, sortedBy) {
  const body = el("tbody");
  const heads = columns.map((column, at) => {
    const head = el("th", { scope: "col", class: column.num ? "num" : null }, button(column.name, () => sort(at)));
    return head;
  });
  let all = rows.length <= FIRST_ROWS, order = [...rows];
  const draw = () => body.replaceChildren(...(all ? order : order.slice(0, FIRST_ROWS)).map((row) =>
    el("tr", {}, ...columns.map((column) => el("td", { class: column.num ? "num" : null }, (column.show || column.of)(row))))));
  function sort(at) {
    const down = heads[at].getAttribute("aria-sort") ? heads[at].getAttribute("aria-sort") === "ascending" : Boolean(columns[at].num);
    heads.forEach((head) => head.removeAttribute("aria-sort"));
    heads[at].setAttribute("aria-sort", down ? "descending" : "ascending");
    const of = columns[at].of;
    order = [...rows].sort((a, b) => (of(a) < of(b) ? -1 : of(a) > of(b) ? 1 : 0) * (down ? -1 : 1));
    draw();
  }
  if (sortedBy !== undefined) heads[sortedBy].setAttribute("aria-sort", "descending");
  draw();
  const whole = el("div", { class: "scroll" }, el("table", { "aria-label": label }, el("thead", {}, el("tr", {}, ...heads)), body));
  if (all) return [whole];
  const more = button(`Show all ${count(rows.length)}`, () => { all = true; draw(); more.remove(); }, { class: "more" });
  return [whole, more];
}

function head() {
  const { state, files, rest } = data;
  document.title = `${state.repo}${state.path ? ` / ${state.path}` : ""}: codeindex report`;
  $("title").textContent = state.path ? `${state.repo} / ${state.path}` : state.repo;
  const commit = state.head ? `${state.branch || "detached"} at ${state.head.slice(0, 12)}` : "no commit";
  $("subtitle").textContent = `${commit} \u00b7 ${state.written_at} \u00b7 version ${state.version}`;
  const all = files.length + sum(rest, (one) => one[1]), lines = sum(files, (one) => one[2]) + sum(rest, (one) => one[2]);
  tiles($("tiles"), [
    ["Files", count(all), `${count(sum(files, (one) => one[3]))} of tests`],
    ["Lines", count(lines)],
    ["Symbols", count(state.symbols), state.path ? "in the whole repository" : ""],
    ["Dependencies", count(data.links.length / 3), "one file using another"],
    ["Hard functions", `${data.health.high_complexity_pct} %`, "of all"],
    ["Documented", `${data.health.documented_pct} %`, "of functions"],
  ]);
  const byLanguage = new Map();
  for (const [, language, length] of files) byLanguage.set(language, (byLanguage.get(language) || 0) + length);
  const sorted = [...byLanguage].sort((a, b) => b[1] - a[1]), whole = sum(sorted, (one) => one[1]) || 1;
  const parts = sorted.slice(0, sorted.length > 8 ? 7 : 8);
  const others = sum(sorted.slice(parts.length), (one) => one[1]);
  if (others) parts.push(["others", others]);
  $("languages").append(...stacked(parts.map(([name, value]) => ({ name, value, say: percent(value / whole) })), "Lines by language"));
}

/* Drawings are as wide as the page's column, so that their letters keep their size on a phone. */
const columnWidth = (most) => { const main = document.querySelector("main"), edge = getComputedStyle(main); return Math.max(280, Math.min(most, main.clientWidth - parseFloat(edge.paddingLeft) - parseFloat(edge.paddingRight))); };

/* Square roots give room to the many that are small. */
const WIDE = columnWidth(960), MARGIN = WIDE < 600 ? 24 : 130, HIGH = 340, END = WIDE - Math.max(0, MARGIN - 30), LEFT = 46, BOTTOM = 40, NAMED = 9;
function scatter(hot) {
  const far = Math.max(...hot.map((one) => one.commits), 1), up = Math.max(...hot.map((one) => one.complexity), 1);
  const x = (value) => LEFT + Math.sqrt(value / far) * (WIDE - LEFT - MARGIN);
  const y = (value) => HIGH - BOTTOM - Math.sqrt(value / up) * (HIGH - BOTTOM - 18);
  const made = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": `Complexity and commits of ${hot.length} files; the table below has the numbers` });
  for (const share of [0.04, 0.25, 0.56, 1]) {
    const [atX, atY] = [Math.round(far * share), Math.round(up * share)];
    made.append(svg("line", { class: "grid", x1: LEFT, x2: END, y1: y(atY), y2: y(atY) }),
      svg("text", { class: "faint", x: LEFT - 8, y: y(atY) + 4, "text-anchor": "end" }, count(atY)),
      svg("text", { class: "faint", x: x(atX), y: HIGH - BOTTOM + 17, "text-anchor": "middle" }, count(atX)));
  }
  made.append(svg("line", { class: "axis", x1: LEFT, x2: END, y1: HIGH - BOTTOM, y2: HIGH - BOTTOM }),
    svg("text", { class: "faint", x: END, y: HIGH - 6, "text-anchor": "end" }, "commits \u2192"),
    svg("text", { class: "faint", x: LEFT, y: 8 }, "\u2191 complexity"));
  const taken = [];
  [...hot].reverse().forEach((one, at) => {
    const isTop = hot.length - at <= NAMED && one.score > 0;
    const radius = 3 + Math.min(11, Math.sqrt(one.lines) / 6);
    made.append(svg("circle", { class: isTop ? "dot top" : "dot", cx: x(one.commits), cy: y(one.complexity), r: radius },
      svg("title", {}, `${one.path}: complexity ${one.complexity}, ${plural(one.commits, "commit")}, ${plural(one.lines, "line")}`)));
  });
  for (const one of hot.slice(0, NAMED)) {
    const label = shortName(one.path), radius = 3 + Math.min(11, Math.sqrt(one.lines) / 6), width = label.length * 6.8;
    const right = x(one.commits) + radius + 4, left = right + width < WIDE ? right : right - 2 * radius - 8 - width;
    const box = { left, top: y(one.complexity) - 7, width };
    const hits = taken.some((other) => box.left < other.left + other.width && other.left < box.left + box.width && Math.abs(box.top - other.top) < 14);
    if (hits || !one.score) continue;
    taken.push(box);
    made.append(svg("text", left === right ? { x: left, y: box.top + 11 } : { x: left + width, y: box.top + 11, "text-anchor": "end" }, label));
  }
  return made;
}

function hotspots() {
  const { hot, functions, state } = data;
  $("hotspots-lead").textContent = state.commits
    ? `Files that are hard to follow and change often, over the last ${plural(state.commits, "commit")}. Complexity adds up the ways through a file\u2019s functions; commits that touch more than 30 files do not count; a larger dot is a longer file.`
    : "No commits are known, so files are ordered by complexity alone: the ways through their functions, added up.";
  if (!hot.length) { $("hot-table").append(el("p", { class: "quiet" }, "No function here could be measured.")); return; }
  if (state.commits) $("scatter").append(scatter(hot));
  $("hot-table").append(...table("Hot files", [
    { name: "File", of: (one) => one.path, show: (one) => path(one.path) },
    { name: "Complexity", num: true, of: (one) => one.complexity, show: (one) => count(one.complexity) },
    { name: "Commits", num: true, of: (one) => one.commits, show: (one) => count(one.commits) },
    { name: "Functions", num: true, of: (one) => one.functions, show: (one) => count(one.functions) },
    { name: "Lines", num: true, of: (one) => one.lines, show: (one) => count(one.lines) },
    { name: "Score", num: true, of: (one) => one.score, show: (one) => count(one.score) },
  ], hot, 5));
  $("function-table").append(...table("Functions that are hardest to follow", [
    { name: "Function", of: (one) => one.name, show: (one) => el("span", {}, path(one.name), el("br"), el("span", { class: "quiet place" }, path(`${one.file}:${one.line}`))) },
    { name: "Ways", num: true, of: (one) => one.cyclomatic },
    { name: "Depth", num: true, of: (one) => one.max_nesting },
    { name: "Parameters", num: true, of: (one) => one.param_count },
    { name: "Lines", num: true, of: (one) => one.body_lines, show: (one) => count(one.body_lines) },
    { name: "Score", num: true, of: (one) => one.score },
  ], functions, 5));
}

function bars(rows, label) {
  const most = Math.max(...rows.map((one) => one[1]), 1), step = 30, wide = columnWidth(460);
  const made = svg("svg", { viewBox: `0 0 ${wide} ${rows.length * step}`, role: "img", "aria-label": `${label}: ${rows.map((one) => one.join(": ")).join(", ")}` });
  rows.forEach(([name, value], at) => {
    const length = value ? Math.max(2, (value / most) * (wide - 170)) : 0;
    made.append(svg("text", { class: "faint", x: 76, y: at * step + 19, "text-anchor": "end" }, name),
      svg("rect", { class: "column", x: 88, y: at * step + 6, width: length, height: 18, rx: 3 }),
      svg("text", { x: 94 + length, y: at * step + 19 }, count(value)));
  });
  return made;
}

function health() {
  const found = data.health;
  tiles($("health-tiles"), [
    ["Functions", count(found.total_functions), `${count(found.analyzed)} with a body`],
    ["Ways through", String(found.complexity.avg), `median ${found.complexity.median}, 90th percentile ${found.complexity.p90}, most ${found.complexity.max}`],
    ["Length", String(found.body_lines.avg), "lines on average"],
    ["Nesting", String(found.nesting.avg), "levels on average"],
    ["Tests", count(found.test_count)],
    ["Public", count(found.public_api_count), `declarations; ${plural(found.deprecated_count, "function")} deprecated`],
  ]);
  $("spread").append(el("h3", {}, "Functions by ways through them"), bars(data.spread, "Functions by ways through them"));
  if (found.hottest_files.length) $("hottest").append(el("h3", {}, "Files of hard functions"), ...table("Files of hard functions", [
    { name: "File", of: (one) => one.file, show: (one) => path(one.file) },
    { name: "Functions", num: true, of: (one) => one.functions },
    { name: "Average", num: true, of: (one) => one.avg_complexity },
    { name: "Most", num: true, of: (one) => one.max_complexity },
  ], found.hottest_files, 2));
}

function together() {
  const place = $("clusters");
  for (const one of data.clusters) place.append(el("article", { class: "card" },
    el("h3", {}, `${plural(one.commits, "commit")} `, el("span", { class: "quiet" }, `\u00b7 ${percent(one.strength)} in common`)),
    one.linked ? null : el("span", { class: "note" }, "no known use of each other"),
    el("ul", {}, ...one.files.map((file) => el("li", {}, path(file))))));
  if (!data.clusters.length) place.replaceWith(el("p", { class: "quiet" }, data.state.commits ? "No files change together so often that it says something." : "No commits are known."));
}

function patterns() {
  const place = $("groups");
  for (const group of data.patterns) {
    const facts = [["Built like", group.canonical], ["Functions", group.methods.join(", ")], ["Extends", group.bases.join(", ")]].filter((one) => one[1]);
    place.append(folded([el("strong", {}, group.name), el("span", { class: "quiet" }, `${plural(group.size, "file")} in `, path(group.place), ` \u00b7 ${group.language}`)], () =>
      el("div", {}, el("dl", { class: "facts" }, ...facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, path(value))])),
        el("ul", {}, ...group.members.map(([file, extra, missing]) => el("li", {}, path(file), " ",
          el("span", { class: "plus" }, extra.map((one) => `+${one}`).join(" ")), " ", el("span", { class: "minus" }, missing.map((one) => `\u2212${one}`).join(" "))))))));
  }
  if (!data.patterns.length) place.append(el("p", { class: "quiet" }, "No group of files is built alike here."));
}

function coverage() {
  const { cover } = data, place = $("cover");
  const parts = [["indexed", cover.indexed], ["skipped", cover.skipped], ["failed", cover.failed]];
  place.append(...stacked(parts.map(([name, value]) => ({ name, value, say: count(value) })), parts.map((one) => one.join(": ")).join(", ")), el("h3", {}, "Not indexed, by reason"));
  const listed = (title, files, rows, show) => folded([title, el("span", { class: "quiet" }, plural(files, "file"))], () =>
    el("ul", {}, ...rows.map((one) => el("li", {}, show(one))), files > rows.length ? el("li", { class: "quiet" }, `and ${count(files - rows.length)} more: codeindex files --skipped`) : null));
  for (const one of cover.reasons) place.append(listed(one.reason, one.files, one.paths, path));
  if (!cover.reasons.length) place.append(el("p", { class: "quiet" }, "Everything is indexed."));
  if (cover.unparsed.length) place.append(listed("Not parsed, or not wholly: symbols of these may be missing", cover.unparsed.length, cover.unparsed, ([file, why]) => el("span", {}, path(file), el("span", { class: "quiet" }, ` ${why}`))));
}

function state() {
  const one = data.state;
  const rows = [["Version", `${one.version}${one.complete ? "" : ", the structure phase has not finished"}`], ["Written", one.written_at], ["Branch", one.branch || "\u2013"], ["Commit", one.head || "\u2013"],
    ["Chunks", count(one.chunks)], ["Size", `${(one.size_bytes / 1e6).toFixed(1)} MB`], ["Words", percent(one.words)],
    ["Vectors", one.model ? `${percent(one.vectors)}, ${one.model.split("@")[0]}` : "none: no model"], ["Commits read", count(one.commits)]];
  for (const [name, value] of rows) $("state").append(el("dt", {}, name), el("dd", {}, value));
}

/* Columns by day; `series` are { name, css, of }, drawn side by side, or one on the other. */
function columns(days, series, label, piled) {
  const wide = columnWidth(960), high = 190, left = 56, base = high - 24, room = wide - left;
  const tallest = Math.max(1, ...days.map((day) => (piled ? sum(series, (one) => one.of(day)) : Math.max(...series.map((one) => one.of(day))))));
  const step = room / Math.max(days.length, 14), thick = Math.min(26, step * 0.7);
  const made = svg("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": label });
  for (const share of [0.5, 1]) {
    const at = base - share * (base - 12);
    made.append(svg("line", { class: "grid", x1: left, x2: wide, y1: at, y2: at }), svg("text", { class: "faint", x: left - 8, y: at + 4, "text-anchor": "end" }, count(Math.round(tallest * share))));
  }
  days.forEach((day, at) => {
    let under = 0;
    series.forEach((one, number) => {
      const length = (one.of(day) / tallest) * (base - 12), slim = piled ? thick : thick / series.length;
      made.append(svg("rect", { class: `column ${one.css}`, x: left + at * step + (piled ? 0 : number * slim), y: base - under - length, width: slim, height: length },
        svg("title", {}, `${day.date}: ${count(one.of(day))} ${one.name}`)));
      if (piled) under += length;
    });
    if (at % Math.ceil(Math.max(days.length, 8) / (wide < 600 ? 4 : 8)) === 0) made.append(svg("text", { class: "faint", x: left + at * step, y: high - 6 }, day.date.slice(5)));
  });
  made.append(svg("line", { class: "axis", x1: left, x2: wide, y1: base, y2: base }));
  return made;
}

function use() {
  const { days, by_type: kinds, p50, p95 } = data.use, place = $("days");
  if (!days.length) { place.append(el("p", { class: "quiet" }, "No search of this repository is noted yet. What is noted stays on this machine, and no question is shown here.")); return; }
  const searches = sum(days, (one) => one.searches), none = sum(days, (one) => one.found_nothing);
  const answers = sum(days, (one) => one.answer_tokens), whole = sum(days, (one) => one.whole_tokens);
  const boxes = el("dl", { class: "tiles" });
  tiles(boxes, [["Searches", count(searches), Object.entries(kinds).map(([name, value]) => `${name} ${value}`).join(", ")], ["Found nothing", count(none), percent(none / searches)],
    ["Time", `${count(Math.round(p50))} ms`, `half within; 19 of 20 within ${count(Math.round(p95))} ms`], ["Tokens of answers", count(answers)], ["Tokens of cited files", count(whole)],
    ["Tokens saved", count(whole - answers), "had each cited file been read whole"]]);
  place.append(boxes, el("h3", {}, "Searches a day"),
    columns(days, [{ name: "found something", css: "", of: (one) => one.searches - one.found_nothing }, { name: "found nothing", css: "none", of: (one) => one.found_nothing }], `${searches} searches in ${days.length} days`, true),
    keys([["b0", "found something"], ["b1", "found nothing"]]), el("h3", {}, "Tokens a day"),
    columns(days, [{ name: "tokens of answers", css: "", of: (one) => one.answer_tokens }, { name: "tokens of the files they cite", css: "whole", of: (one) => one.whole_tokens }], `${answers} tokens of answers, ${whole} of the files they cite`, false),
    keys([["b0", "answers"], ["b7", "the files they cite, whole"]]),
    el("details", {}, el("summary", {}, "Numbers"), el("div", {}, ...table("Searches and tokens by day", [{ name: "Day", of: (one) => one.date }, { name: "Searches", num: true, of: (one) => one.searches },
      { name: "Found nothing", num: true, of: (one) => one.found_nothing }, { name: "Answers\u2019 tokens", num: true, of: (one) => one.answer_tokens, show: (one) => count(one.answer_tokens) },
      { name: "Files\u2019 tokens", num: true, of: (one) => one.whole_tokens, show: (one) => count(one.whole_tokens) }], days))));
}
const keys = (rows) => el("ul", { class: "legend" }, ...rows.map(([css, name]) => el("li", {}, el("i", { class: css }), name)));

function markSection() {
  const links = new Map([...document.querySelectorAll("nav a")].map((one) => [one.hash.slice(1), one]));
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) {
      links.forEach((one) => one.removeAttribute("aria-current"));
      links.get(entry.target.id).setAttribute("aria-current", "true");
    }
  }, { rootMargin: "-10% 0px -80%" });
  document.querySelectorAll("main section").forEach((one) => seen.observe(one));
}

head();
hotspots();
health();
together();
patterns();
coverage();
state();
use();
markSection();
window.addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((one) => { one.open = true; }));
