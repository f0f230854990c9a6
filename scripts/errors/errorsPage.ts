import { collectErrors, type ErrorSite } from './collectErrors.ts';

const METHODS = 'docs/reference/json-rpc.md';
const HEAD = `# Errors
Every error that a program of this repository makes on purpose has a code, which is stable, and a message with its remedy. This page is made from the code by \`npm run gen\`; \`<name>\` stands for what a message names.

- **Command line**: \`error: <message>\` on standard error; exit code 2 for \`CLI_USAGE\` and for what the parser of arguments refuses, 1 for every other.
- **JSON-RPC**: \`EXECUTION_REVERTED\` is 3 with the data, \`THREADS_BUSY\` -32005 with \`retryAfterMs\`, \`RPC_INVALID_PARAM\` -32602, \`RPC_ERROR\` has the code that its method names ([methods](../../${METHODS})); every other is -32000 with its message.
- An error without a code is a fault of the program: it is logged with its place, counted, and told as an internal error.
`;

/** One section a prefix, one row a code: what it says, its fields, who makes it. */
export function errorsPage(root: string): string {
  const byCode = Map.groupBy(collectErrors(root), ({ code }) => code);
  const rooms = Map.groupBy([...byCode.keys()].toSorted(), (code) => code.split('_')[0]!);
  const sections = [...rooms].map(
    ([room, codes]) =>
      `\n## ${room}\n| code | message | fields | made by |\n|---|---|---|---|\n${codes.map((code) => row(code, byCode.get(code)!)).join('')}`,
  );
  return `${HEAD}${sections.join('')}`;
}

function row(code: string, sites: readonly ErrorSite[]): string {
  const cells = [
    sites.map(({ message }) => message),
    sites.flatMap(({ fields }) => fields).map((field) => `\`${field}\``),
    sites.map(({ path }) => `\`${path}\``),
  ].map((cell) =>
    [...new Set(cell)].join('; ').replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;'),
  );
  return `| \`${code}\` | ${cells.join(' | ')} |\n`;
}
