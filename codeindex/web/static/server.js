// Send requests to the server. The token comes from the fragment of the address, which browsers
// never send, and is kept for this tab alone.

export const isStatic = false; // true in an exported site, whose `server.js` reads files

const TOKEN_KEY = "codeindex.token";
const fragment = new URLSearchParams(location.hash.slice(1));
if (fragment.has("token")) {
  sessionStorage.setItem(TOKEN_KEY, fragment.get("token"));
  history.replaceState(null, "", location.pathname + location.search);
}

function headers() {
  const token = sessionStorage.getItem(TOKEN_KEY);
  return token ? { Authorization: `Bearer ${token}` } : {};
}

// Return the JSON answer; throw an Error whose message a reader can act on.
async function request(url, options) {
  let response;
  try {
    response = await fetch(url, { ...options, headers: headers() });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server does not answer: start `codeindex ui` again.");
  }
  if (response.status === 401) {
    throw new Error("This server asks for its token: open the address that it printed, with #token=…");
  }
  const data = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(data.error || `The server answered ${response.status}.`);
  return data;
}

export function get(name, parameters = {}, signal = undefined) {
  const given = Object.entries(parameters).filter(([, value]) => value !== "" && value != null);
  return request(`api/ui/${name}?${new URLSearchParams(given)}`, { signal });
}

// Return the coloured spans of each [language, text]; no spans where that fails.
export async function highlight(texts) {
  try {
    const body = JSON.stringify(texts);
    return (await request("api/ui/highlight", { method: "POST", body })).styles;
  } catch {
    return [];
  }
}
