import type { KeyRange, KeyValue } from '../../view/index.ts';
import { NONE, type NodeSpace } from './nodeSpace.ts';
import { SoughtKey } from './soughtKey.ts';

interface SoughtRange {
  readonly start: SoughtKey | undefined;
  readonly end: SoughtKey | undefined;
  readonly reverse: boolean;
}

/** The leaves of a tree in [start, end), in key order or backwards; a walk below the arena, a scan below that. */
export function* iterateTree(space: NodeSpace, root: number, range: KeyRange): Iterable<KeyValue> {
  if (root === NONE) return;
  const sought = soughtIn(space, range);
  const stack = [root];
  for (let ref = stack.pop(); ref !== undefined; ref = stack.pop()) {
    if (ref < 0) yield* iteratePersisted(space, ref, sought);
    else if (space.isLeaf(ref)) {
      if (isInside(space, ref, sought)) yield [space.key(ref), space.value(ref)];
    } else pushChildren(space, ref, sought, stack);
  }
}

function soughtIn({ base }: NodeSpace, { start, end, reverse = false }: KeyRange): SoughtRange {
  const sought = (key: Uint8Array | undefined) => key && new SoughtKey(base, key);
  return { start: sought(start), end: sought(end), reverse };
}

function isInside(space: NodeSpace, ref: number, { start, end }: SoughtRange): boolean {
  if (start && space.compareKey(start, ref) > 0) return false;
  return !end || space.compareKey(end, ref) > 0;
}

/** The child to visit first goes on top. Left holds keys < the branch key, right the others. */
function pushChildren(space: NodeSpace, ref: number, range: SoughtRange, stack: number[]): void {
  const { start, end, reverse } = range;
  const children: number[] = [];
  if (!start || space.compareKey(start, ref) < 0) children.push(space.left(ref));
  if (!end || space.compareKey(end, ref) > 0) children.push(space.right(ref));
  stack.push(...(reverse ? children : children.reverse()));
}

function* iteratePersisted(space: NodeSpace, ref: number, range: SoughtRange): Iterable<KeyValue> {
  const base = space.base!;
  let [first, end] = space.leafRange(ref);
  if (range.start) first = Math.max(first, range.start.place);
  if (range.end) end = Math.min(end, range.end.place);
  if (range.reverse) {
    for (let leaf = end - 1; leaf >= first; leaf--) yield [base.key(leaf), base.value(leaf)];
  } else {
    for (let leaf = first; leaf < end; leaf++) yield [base.key(leaf), base.value(leaf)];
  }
}
