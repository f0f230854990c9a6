import type { KeyRange, KeyValue } from '../../view/index.ts';
import { NONE, type NodeSpace } from './nodeSpace.ts';

/** The leaves of a tree in [start, end), in key order or backwards; a walk below the arena, a scan below that. */
export function* iterateTree(space: NodeSpace, root: number, range: KeyRange): Iterable<KeyValue> {
  if (root === NONE) return;
  const stack = [root];
  for (let ref = stack.pop(); ref !== undefined; ref = stack.pop()) {
    if (ref < 0) yield* iteratePersisted(space, ref, range);
    else if (space.isLeaf(ref)) {
      if (isInside(space, ref, range)) yield [space.key(ref), space.value(ref)];
    } else pushChildren(space, ref, range, stack);
  }
}

function isInside(space: NodeSpace, ref: number, { start, end }: KeyRange): boolean {
  if (start && space.compareKey(start, ref) > 0) return false;
  return !end || space.compareKey(end, ref) > 0;
}

/** The child to visit first goes on top. Left holds keys < the branch key, right the others. */
function pushChildren(space: NodeSpace, ref: number, range: KeyRange, stack: number[]): void {
  const { start, end, reverse } = range;
  const children: number[] = [];
  if (!start || space.compareKey(start, ref) < 0) children.push(space.left(ref));
  if (!end || space.compareKey(end, ref) > 0) children.push(space.right(ref));
  stack.push(...(reverse ? children : children.reverse()));
}

function* iteratePersisted(space: NodeSpace, ref: number, range: KeyRange): Iterable<KeyValue> {
  const base = space.base!;
  let [first, end] = space.leafRange(ref);
  if (range.start) first = base.lowerBound(range.start, first, end);
  if (range.end) end = base.lowerBound(range.end, first, end);
  if (range.reverse) {
    for (let leaf = end - 1; leaf >= first; leaf--) yield [base.key(leaf), base.value(leaf)];
  } else {
    for (let leaf = first; leaf < end; leaf++) yield [base.key(leaf), base.value(leaf)];
  }
}
