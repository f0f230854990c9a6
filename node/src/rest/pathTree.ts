/** What a path leads to, and the texts of its parameters. */
export interface Found<T> {
  readonly value: T;
  readonly params: Readonly<Record<string, string>>;
}

interface Branch<T> {
  readonly fixed: Map<string, Branch<T>>;
  parameter?: { readonly name: string; readonly branch: Branch<T> };
  value?: { readonly it: T };
}

/**
 * Paths of `/a/:name/b` by their segments; a fixed segment goes before a parameter. Knows less than the framework's
 * router: patterns with `*`, and paths that are escaped or have empty segments, it leaves to that one.
 */
export class PathTree<T> {
  readonly #root: Branch<T> = { fixed: new Map() };

  add(path: string, value: T): void {
    if (path.includes('*')) return;
    let branch = this.#root;
    for (const segment of path.slice(1).split('/')) branch = childOf(branch, segment);
    branch.value = { it: value };
  }

  /** `path` is without its query. */
  find(path: string): Found<T> | undefined {
    if (path.includes('%') || path.includes('//')) return undefined;
    const params: Record<string, string> = {};
    const value = walk(this.#root, path.slice(1).split('/'), params);
    return value && { value: value.it, params };
  }
}

function childOf<T>(branch: Branch<T>, segment: string): Branch<T> {
  if (segment.startsWith(':')) {
    branch.parameter ??= { name: segment.slice(1), branch: { fixed: new Map() } };
    return branch.parameter.branch;
  }
  const known = branch.fixed.get(segment);
  if (known) return known;
  const child: Branch<T> = { fixed: new Map() };
  branch.fixed.set(segment, child);
  return child;
}

function walk<T>(
  branch: Branch<T>,
  [segment, ...rest]: readonly string[],
  params: Record<string, string>,
): { readonly it: T } | undefined {
  if (segment === undefined) return branch.value;
  const fixed = branch.fixed.get(segment);
  const found = fixed && walk(fixed, rest, params);
  if (found || !branch.parameter || segment === '') return found;
  const { name, branch: child } = branch.parameter;
  const below = walk(child, rest, params);
  if (below) params[name] = segment;
  return below;
}
