// Split a text into stemmed words as `codeindex/text/words.py` does for the index.

const CJK = "\\u3040-\\u30ff\\u3400-\\u9fff\\uac00-\\ud7af";
const SMALL = `(?:(?![A-Z${CJK}])\\p{L})`;
const RUN = /[\p{L}\p{N}]+(?:_+[\p{L}\p{N}]+)*/gu;
const PART = new RegExp(`[A-Z]+(?!${SMALL})|[A-Z]?${SMALL}+|\\p{Nd}+|[${CJK}]+`, "gu");
const LONGEST = 64;

export function stem(word) {
  if (word.length < 4 || !/^[\x00-\x7f]*$/.test(word)) return word;
  if (word.endsWith("ies") && word.length > 4) word = `${word.slice(0, -3)}y`;
  else if (word.endsWith("s") && !/(ss|us|is)$/.test(word)) word = word.slice(0, -1);
  for (const ending of ["ing", "ed"]) {
    if (!word.endsWith(ending) || word.length < ending.length + 4) continue;
    word = word.slice(0, -ending.length);
    if (word.at(-1) === word.at(-2) && !"lsz".includes(word.at(-1))) word = word.slice(0, -1);
    break;
  }
  return word.length > 4 && word.endsWith("e") ? word.slice(0, -1) : word;
}

function split(run) {
  const parts = run.match(PART) || [];
  if (parts.length <= 1) return [stem(run.toLowerCase())];
  return [...parts.map((part) => stem(part.toLowerCase())), fold(run)];
}

// Return a name in lower case without underscores.
export function fold(name) {
  return name.replaceAll("_", "").toLowerCase();
}

export function stemmedWords(text) {
  const runs = (text.match(RUN) || []).filter((run) => run.length <= LONGEST);
  return runs.flatMap((run) => {
    const pieces = run.match(new RegExp(`[${CJK}]+`, "gu")) || [];
    const pairs = pieces.flatMap((piece) =>
      Array.from({ length: Math.max(1, piece.length - 1) }, (_, start) => piece.slice(start, start + 2)));
    return [...pairs, ...split(run)];
  });
}
