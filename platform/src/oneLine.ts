/** Control characters, line ends, and marks that reorder or hide text. */
const UNPRINTABLE = /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** Text of somebody else, fit for a status, an event or a log: printable, on one line, at most so many characters. */
export function oneLine(text: string, most = 500): string {
  // A pathological text is cut before it is looked through.
  const line = text
    .slice(0, 4 * most)
    .replace(UNPRINTABLE, ' ')
    .trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}
