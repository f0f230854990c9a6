const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ARRAY = 0x5b;
const ARRAY_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/** Whether JSON text has more than `maxDepth` objects and arrays within each other: one pass, no recursion. */
export function nestsDeeper(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case ARRAY:
      case OBJECT:
        if (++depth > maxDepth) return true;
        break;
      case ARRAY_END:
      case OBJECT_END:
        depth--;
    }
  }
  return false;
}

/** Where the closing quote stands; the text's end where there is none. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (quote - first) % 2 === 1;
}
