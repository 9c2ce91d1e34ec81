// Keep what is shown in the address, so that it can be shared and Back works.

export const FIELDS = ["q", "view", "repo", "language", "kind", "path", "module", "file", "line", "in", "symbol"];

export function readAddress() {
  const given = new URLSearchParams(location.search);
  return Object.fromEntries(FIELDS.map((name) => [name, given.get(name) || ""]));
}

export function addressOf(state) {
  const given = FIELDS.filter((name) => state[name]).map((name) => [name, state[name]]);
  return given.length ? `?${new URLSearchParams(given)}` : "./";
}
