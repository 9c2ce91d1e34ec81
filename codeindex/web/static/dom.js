// Make elements. Texts become text nodes, so markup in names and code is shown, never run.

export const byId = (id) => document.getElementById(id);

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value != null && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

// Return a path as nodes that may be broken after a slash.
export function pathNodes(path) {
  return path.split(/(?<=\/)/).flatMap((part) => [part, element("wbr")]).slice(0, -1);
}

// Return a line of code as nodes. `spans` are [start, end, kind] in characters, as Python counts.
export function codeLine(text, spans = []) {
  const characters = spans.length ? Array.from(text) : [];
  const nodes = [];
  let end = 0;
  for (const [start, stop, kind] of spans) {
    if (start < end) continue;
    nodes.push(characters.slice(end, start).join(""));
    nodes.push(element("span", { class: `s-${kind}` }, characters.slice(start, stop).join("")));
    end = stop;
  }
  nodes.push(spans.length ? characters.slice(end).join("") : text);
  return nodes;
}
