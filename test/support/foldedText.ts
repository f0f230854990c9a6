const WIDTH = 100;
const TOKEN = /[()]|[^\s()]+/g;

type Expression = string | readonly Expression[];

/**
 * A function in WebAssembly's text format, with as much of each expression in a line as fits, without the list of its
 * locals. `names`: of what the format only numbers, by `local.$0`, `global.$0`, `call.$0`.
 */
export function foldedText(text: string, name: string, names: Readonly<Record<string, string>>): string {
  const tokens = [...text.slice(text.indexOf(`(func ${name} `)).matchAll(TOKEN)].map(([token]) => token);
  const named = tokens.map((token, i) => names[`${tokens[i - 1]?.split('.')[0]}.${token}`] ?? token);
  const [func, own, ...parts] = expressionOf(named) as readonly Expression[];
  const body = parts.filter((part) => typeof part === 'string' || part[0] !== 'local');
  return linesOf([func!, own!, ...body], 0).join('\n');
}

function expressionOf(tokens: readonly string[]): Expression {
  const open: Expression[][] = [[]];
  for (const token of tokens) {
    if (token === '(') open.push([]);
    else if (token !== ')') open.at(-1)!.push(token);
    else {
      const done = open.pop()!;
      if (open.length === 1) return done;
      open.at(-1)!.push(done);
    }
  }
  return open[0]!;
}

function flat(expression: Expression): string {
  return typeof expression === 'string' ? expression : `(${expression.map(flat).join(' ')})`;
}

function isHead(part: Expression): boolean {
  return typeof part === 'string' || part[0] === 'param' || part[0] === 'result';
}

function linesOf(expression: Expression, depth: number): string[] {
  const indent = '  '.repeat(depth);
  const line = indent + flat(expression);
  if (typeof expression === 'string' || line.length <= WIDTH) return [line];
  const length = expression.findIndex((part) => !isHead(part));
  const head = `${indent}(${expression.slice(0, length).map(flat).join(' ')}`;
  const rest = expression.slice(length).flatMap((part) => linesOf(part, depth + 1));
  return [head, ...rest.slice(0, -1), `${rest.at(-1)})`];
}
