/* The map: a tree of folders and files, and a drawing of what the chosen one uses. */
const MOST_FOUND = 300, MOST_BOXES = 20, MOST_NEAR = 8, MOST_LINKS = 12;

function folder(name, parent) {
  return { name, parent, path: parent && parent.path ? `${parent.path}/${name}` : name, children: new Map(), files: 0, lines: 0, complexity: 0, commits: 0, rest: 0 };
}
const root = folder("", null);
const leaves = [];
for (const [at, [path, language, lines, test, complexity, commits]] of data.files.entries()) {
  const parts = path.split("/"), name = parts.pop();
  const leaf = { name, path, parent: within(parts), children: null, at, language, lines, test, complexity, commits, files: 1 };
  leaf.parent.children.set(name, leaf);
  leaves.push(leaf);
  for (let one = leaf.parent; one; one = one.parent) { one.files++; one.lines += lines; one.complexity += complexity; }
}
for (const [place, files, lines] of data.rest)
  for (let one = within(place ? place.split("/") : []), near = true; one; one = one.parent, near = false) { one.files += files; one.lines += lines; if (near) one.rest += files; }

function within(parts) {
  let one = root;
  for (const part of parts) {
    if (!one.children.has(part)) one.children.set(part, folder(part, one));
    one = one.children.get(part);
  }
  return one;
}

/* Folders that hold one folder and nothing else are one row. */
function squeeze(one) {
  if (!one.children) return;
  for (const child of one.children.values()) squeeze(child);
  const inner = [...one.children.values()];
  if (one.parent && inner.length === 1 && inner[0].children && !one.rest) {
    one.name += `/${inner[0].name}`;
    one.path = inner[0].path;
    one.children = inner[0].children;
    one.rest = inner[0].rest;
    for (const child of one.children.values()) child.parent = one;
  }
  one.sorted = [...one.children.values()].sort((a, b) => !a.children - !b.children || (a.name < b.name ? -1 : 1));
}
squeeze(root);
root.name = data.state.path || data.state.repo;

const tree = $("tree");
let chosen = root, kept = null;
const inner = (one) => (one.sorted || []).filter((child) => !kept || kept.has(child));

function item(one, level, at, of) {
  const isFolder = Boolean(one.children);
  const said = isFolder ? `${one.name}, folder, ${plural(one.files, "file")}, ${plural(one.lines, "line")}` : `${one.name}, ${one.language}, ${plural(one.lines, "line")}`;
  const size = el("span");
  size.style.width = `${Math.sqrt(one.lines / (root.lines || 1)) * 100}%`;
  const made = el("li", { role: "treeitem", "aria-level": level, "aria-setsize": of, "aria-posinset": at, "aria-label": said, "aria-selected": one === chosen, "data-kind": isFolder ? "folder" : "file", tabindex: -1 },
    el("div", { class: "row", title: one.path }, el("span", { class: isFolder ? "caret" : "caret none" }), el("span", { class: "name" }, one.name),
      el("span", { class: "size" }, size), el("span", { class: "count" }, count(one.lines))));
  if (isFolder) made.setAttribute("aria-expanded", "false");
  made.node = one;
  one.item = made;
  return made;
}

function expand(made) {
  if (made.getAttribute("aria-expanded") !== "false") return;
  const shown = inner(made.node), level = Number(made.getAttribute("aria-level")) + 1;
  const group = el("ul", { role: "group" }, ...shown.map((one, at) => item(one, level, at + 1, shown.length)));
  if (made.node.rest && !kept) group.append(el("li", { role: "none", class: "quiet" }, `and ${plural(made.node.rest, "file")} that little uses`));
  made.append(group);
  made.setAttribute("aria-expanded", "true");
}

function collapse(made) {
  if (made.getAttribute("aria-expanded") !== "true") return;
  made.querySelector("ul").remove();
  made.setAttribute("aria-expanded", "false");
}

function expandAll(made) {
  expand(made);
  for (const child of made.querySelectorAll(":scope > ul > li[aria-expanded]")) expandAll(child);
}

function plant() {
  const top = item(root, 1, 1, 1);
  tree.replaceChildren(top);
  expand(top);
  return top;
}

/* Opens the way to a node, and chooses it. */
function reveal(one, focus) {
  if (kept && !kept.has(one)) clearSearch();
  const above = [];
  for (let next = one.parent; next; next = next.parent) above.unshift(next);
  for (const next of above) expand(next.item);
  choose(one);
  one.item.scrollIntoView({ block: "nearest" });
  if (focus) one.item.focus();
}

function choose(one) {
  for (const made of tree.querySelectorAll("[aria-selected=true]")) made.setAttribute("aria-selected", "false");
  for (const made of tree.querySelectorAll("[tabindex='0']")) made.tabIndex = -1;
  chosen = one;
  if (one.item && one.item.isConnected) { one.item.setAttribute("aria-selected", "true"); one.item.tabIndex = 0; }
  detail(one);
}

tree.addEventListener("click", (event) => {
  const made = event.target.closest("[role=treeitem]");
  if (!made) return;
  if (event.target.closest(".caret") || made.node === chosen) (made.getAttribute("aria-expanded") === "true" ? collapse : expand)(made);
  else expand(made);
  choose(made.node);
  made.focus({ preventScroll: true });
});

let typed = "", typedAt = 0;
tree.addEventListener("keydown", (event) => {
  const made = event.target.closest("[role=treeitem]");
  if (!made || event.ctrlKey || event.metaKey || event.altKey) return;
  const shown = [...tree.querySelectorAll("[role=treeitem]")], at = shown.indexOf(made), open = made.getAttribute("aria-expanded");
  const go = (next) => { if (next) { made.tabIndex = -1; next.tabIndex = 0; next.focus(); } };
  const acts = {
    ArrowDown: () => go(shown[at + 1]), ArrowUp: () => go(shown[at - 1]), Home: () => go(shown[0]), End: () => go(shown[shown.length - 1]),
    ArrowRight: () => (open === "false" ? expand(made) : open === "true" ? go(made.querySelector("[role=treeitem]")) : null),
    ArrowLeft: () => (open === "true" ? collapse(made) : go(made.parentElement.closest("[role=treeitem]"))),
    Enter: () => choose(made.node), " ": () => choose(made.node),
    "*": () => { for (const one of made.parentElement.children) if (one.node) expand(one); },
  };
  if (acts[event.key]) { event.preventDefault(); acts[event.key](); return; }
  if (event.key.length !== 1) return;
  typed = event.timeStamp - typedAt < 700 ? typed + event.key : event.key;
  typedAt = event.timeStamp;
  const from = typed.length === 1 ? at + 1 : at;
  go([...shown.slice(from), ...shown.slice(0, from)].find((one) => one.node.name.toLowerCase().startsWith(typed.toLowerCase())));
});

/* What was looked for, and all that it lies in; a folder that matches is found, not all in it. */
function search(text) {
  const wanted = text.trim().toLowerCase();
  kept = null;
  if (!wanted) { $("found").textContent = ""; plant(); choose(root); return; }
  const found = [];
  const look = (one) => {
    const own = wanted.includes("/") ? one.path : one.name;
    if (one !== root && own.toLowerCase().includes(wanted)) found.push(one);
    (one.sorted || []).forEach(look);
  };
  look(root);
  kept = new Set([root]);
  for (const one of found.slice(0, MOST_FOUND)) for (let next = one; next; next = next.parent) kept.add(next);
  expandAll(plant());
  $("found").textContent = found.length > MOST_FOUND ? `${count(found.length)} found, the first ${MOST_FOUND} shown` : found.length ? `${count(found.length)} found` : "nothing of this name";
  if (!found.length) return;
  choose(found.find((one) => one.name.toLowerCase() === wanted) || found[0]);
  if (chosen.item) tree.scrollTop = chosen.item.offsetTop - tree.offsetTop - tree.clientHeight / 3;
}
function clearSearch() { $("find").value = ""; kept = null; $("found").textContent = ""; plant(); }

let waiting = 0;
$("find").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(() => search($("find").value), 80); });
$("find").addEventListener("keydown", (event) => {
  if (event.key === "Enter" || event.key === "ArrowDown") { clearTimeout(waiting); search($("find").value); if (chosen.item) { event.preventDefault(); chosen.item.focus(); } }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.closest("input, [role=tree]")) return;
  event.preventDefault();
  $("find").focus();
});
$("open").addEventListener("click", () => { clearSearch(); expandAll(tree.firstElementChild); choose(chosen); $("found").textContent = `${plural(root.files, "file")} in ${plural(tree.querySelectorAll("[data-kind=folder]").length, "folder")}`; });
$("shut").addEventListener("click", () => { clearSearch(); collapse(tree.firstElementChild); expand(tree.firstElementChild); choose(root); });

const isIn = (one, around) => { for (let next = one; next; next = next.parent) if (next === around) return true; return false; };
/* Of the way up from a file, the last that lies right in `around`. */
function childOf(around, one) { let last = one; while (last.parent !== around) last = last.parent; return last; }
function depth(one) { let steps = 0; for (let next = one; next.parent; next = next.parent) steps++; return steps; }
function meet(one, other) {
  let [a, b] = [one, other];
  for (let by = depth(a) - depth(b); by > 0; by--) a = a.parent;
  for (let by = depth(b) - depth(a); by > 0; by--) b = b.parent;
  while (a !== b) { a = a.parent; b = b.parent; }
  return a;
}

/* Uses that cross the border of the chosen one, and for a folder those between what is in it. */
function linksOf(one) {
  const uses = new Map(), usedBy = new Map(), inside = new Map();
  const add = (map, key, value) => map.set(key, (map.get(key) || 0) + value);
  const member = leaves.map((leaf) => isIn(leaf, one));
  for (let at = 0; at < data.links.length; at += 3) {
    const [source, target, times] = [data.links[at], data.links[at + 1], data.links[at + 2]];
    const [from, to] = [leaves[source], leaves[target]];
    if (member[source] && member[target]) {
      if (!one.children) continue;
      const [a, b] = [childOf(one, from), childOf(one, to)];
      if (a === b) continue;
      if (!inside.has(a)) inside.set(a, new Map());
      add(inside.get(a), b, times);
    } else if (member[source]) add(uses, one.children ? childOf(meet(one, to), to) : to, times);
    else if (member[target]) add(usedBy, one.children ? childOf(meet(one, from), from) : from, times);
  }
  const best = (map) => [...map].sort((a, b) => b[1] - a[1]);
  return { uses: best(uses), usedBy: best(usedBy), inside };
}

function detail(one) {
  const place = $("detail"), found = linksOf(one), crumbs = el("p", { class: "crumbs" });
  const above = [];
  for (let next = one.parent; next; next = next.parent) above.unshift(next);
  above.forEach((next) => crumbs.append(button(next.name, () => reveal(next, true)), " / "));
  const facts = one.children ? [plural(one.files, "file"), plural(one.lines, "line"), `complexity ${count(one.complexity)}`]
    : [one.language, plural(one.lines, "line"), `complexity ${count(one.complexity)}`, plural(one.commits, "commit"), one.test ? "test" : null];
  place.replaceChildren(crumbs, el("h3", {}, path(one.name)), el("p", { class: "facts-line" }, facts.filter(Boolean).join(" \u00b7 ")), drawing(one, found));
  const lists = el("div", { class: "links" });
  for (const [title, rows] of [["Uses", found.uses], ["Used by", found.usedBy]]) {
    if (one === root) continue;
    const shown = rows.slice(0, MOST_LINKS).map(([other, times]) => el("li", {}, button(one.children ? other.name : other.path, () => reveal(other, true)), el("span", { class: "quiet" }, count(times))));
    if (rows.length > MOST_LINKS) shown.push(el("li", { class: "quiet" }, `and ${count(rows.length - MOST_LINKS)} more`));
    lists.append(el("div", {}, el("h4", {}, `${title} ${count(rows.length)}`), el("ul", {}, ...(shown.length ? shown : [el("li", { class: "quiet" }, "nothing that is known")]))));
  }
  place.append(lists);
}

function drawing(one, { uses, usedBy, inside }) {
  const links = [];
  let rows;
  if (one.children) {
    inside.forEach((targets, from) => targets.forEach((times, to) => links.push({ from, to, times })));
    if (!links.length) return el("p", { class: "quiet" }, one.sorted.length > 1 ? "Nothing here is known to use anything else here." : "");
    rows = layers(links);
  } else {
    const [above, below] = [usedBy.slice(0, MOST_NEAR), uses.slice(0, MOST_NEAR)];
    above.forEach(([from, times]) => links.push({ from, to: one, times }));
    below.forEach(([to, times]) => links.push({ from: one, to, times }));
    if (!links.length) return el("p", { class: "quiet" }, "Nothing is known to use it, or to be used by it.");
    rows = [...broken(above.map((each) => each[0])), [one], ...broken(below.map((each) => each[0]).filter((each) => !above.some(([other]) => other === each)))];
  }
  return draw(rows, links, one);
}

const BOX = 164, TALL = 32, LABEL = 22, ACROSS = 178, DOWN = 74;
/* Two boxes fit side by side on a phone. */
const A_ROW = columnWidth(712) < 600 ? 2 : 4;
function broken(list) { const rows = []; for (let at = 0; at < list.length; at += A_ROW) rows.push(list.slice(at, at + A_ROW)); return rows; }

/* Who uses stands above what is used. Links against the grain, of cycles, are left out of the count. */
function layers(links) {
  const weight = new Map(), level = new Map(), rows = [];
  for (const { from, to, times } of links) for (const one of [from, to]) weight.set(one, (weight.get(one) || 0) + times);
  const shown = [...weight].sort((a, b) => b[1] - a[1]).slice(0, MOST_BOXES).map((one) => one[0]);
  const near = new Map(shown.map((one) => [one, []]));
  for (const { from, to, times } of links) if (near.has(from) && near.has(to)) { near.get(from).push([to, times]); near.get(to).push([from, -times]); }
  const order = ordered(shown, near), place = new Map(order.map((one, at) => [one, at]));
  for (const one of order) level.set(one, Math.max(0, ...near.get(one).filter(([other, times]) => times < 0 && place.get(other) < place.get(one)).map(([other]) => level.get(other) + 1)));
  for (const one of order) (rows[level.get(one)] ||= []).push(one);
  for (let sweep = 0; sweep < 4; sweep++) {
    const spot = new Map(rows.flatMap((row) => row.map((one, at) => [one, (at + 0.5) / row.length])));
    for (const row of sweep % 2 ? [...rows].reverse() : rows) {
      const mean = new Map(row.map((one) => [one, sum(near.get(one), ([other]) => spot.get(other)) / (near.get(one).length || 1)]));
      row.sort((a, b) => mean.get(a) - mean.get(b)).forEach((one, at) => spot.set(one, (at + 0.5) / row.length));
    }
  }
  return rows.flatMap(broken);
}

/* Again and again takes out the one that uses most beyond what uses it. */
function ordered(shown, near) {
  const pull = new Map(shown.map((one) => [one, sum(near.get(one), ([, times]) => times)])), order = [];
  while (pull.size) {
    const [next] = [...pull].reduce((a, b) => (b[1] > a[1] ? b : a));
    order.push(next);
    pull.delete(next);
    for (const [other, times] of near.get(next)) if (pull.has(other)) pull.set(other, pull.get(other) + times);
  }
  return order;
}

function draw(rows, links, self) {
  const at = new Map(), wide = ACROSS * A_ROW;
  rows.forEach((row, level) => row.forEach((one, number) => at.set(one, { x: (wide - row.length * ACROSS) / 2 + number * ACROSS + (ACROSS - BOX) / 2, y: 4 + level * DOWN })));
  const high = rows.length * DOWN - DOWN + TALL + 8;
  const canvas = svg("svg", { viewBox: `0 0 ${wide} ${high}`, role: "group", "aria-label": `What uses what: ${plural(at.size, "box", "boxes")}` });
  const drawn = [], most = Math.max(...links.map((one) => one.times));
  let turned = false;
  for (const { from, to, times } of links) {
    const [a, b] = [at.get(from), at.get(to)];
    if (!a || !b) continue;
    const back = a.y >= b.y;
    turned ||= back;
    const [x1, y1, x2, y2] = [a.x + BOX * (back ? 0.8 : 0.5), back ? a.y : a.y + TALL, b.x + BOX * (back ? 0.8 : 0.5), back ? b.y + TALL : b.y];
    const bend = Math.max(22, Math.abs(y2 - y1) / 2) * (back ? -1 : 1), side = a.y === b.y ? 0 : 1;
    const line = svg("path", { class: back ? "edge back" : "edge", "stroke-width": (0.8 + 4 * Math.sqrt(times / most)).toFixed(2), d: `M${x1},${y1}C${x1},${y1 + bend} ${x2},${y2 - bend * side} ${x2},${y2}` });
    drawn.push({ line, from, to });
    canvas.append(line);
  }
  const frame = el("div", { class: "diagram" }, canvas), names = [...at.keys()].map((one) => one.name);
  for (const [one, { x, y }] of at) {
    const isAlone = names.indexOf(one.name) === names.lastIndexOf(one.name);
    const text = isAlone ? one.name : one.path.split("/").slice(-2).join("/");
    canvas.append(box(one, text.length > LABEL ? `${text.slice(0, 7)}\u2026${text.slice(7 - LABEL)}` : text, x, y, one === self, drawn, frame));
  }
  frame.append(el("p", { class: "hint" }, `What stands above uses what stands below; a thicker line is more uses.${turned ? " Dashed lines go back up: with others they make a cycle." : ""}`));
  return frame;
}

function box(one, text, x, y, isSelf, drawn, frame) {
  const made = svg("g", { class: isSelf ? "box self" : "box", transform: `translate(${x},${y})`, tabindex: 0, role: "button", "aria-label": `${one.name}, ${plural(one.lines, "line")}` },
    svg("title", {}, `${one.path}: ${plural(one.lines, "line")}`), svg("rect", { width: BOX, height: TALL, rx: 6 }), svg("text", { x: BOX / 2, y: 20.5, "text-anchor": "middle" }, text));
  const light = (on) => { frame.classList.toggle("lighting", on); for (const { line, from, to } of drawn) line.classList.toggle("lit", on && (from === one || to === one)); };
  for (const [event, on] of [["mouseenter", true], ["focus", true], ["mouseleave", false], ["blur", false]]) made.addEventListener(event, () => light(on));
  if (!isSelf) made.addEventListener("click", () => reveal(one, true));
  made.addEventListener("keydown", (event) => { if (!isSelf && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); reveal(one, true); } });
  return made;
}

plant();
choose(root);
