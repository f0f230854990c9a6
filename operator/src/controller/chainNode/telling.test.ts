import { expect, it } from 'vitest';
import type { ChainNode } from '../../api/index.ts';
import type { NodeView } from '../../task/index.ts';
import { HeightPace } from '../heightPace.ts';
import { isMoving, type Said, tellsNow } from './telling.ts';

const synced = (status: 'True' | 'False', message = '') =>
  [
    { type: 'Synced', status, reason: status === 'True' ? 'AtHead' : 'CatchingUp', message },
  ] as unknown as Said['conditions'];
const chainAt = (height: number): NonNullable<Said['chain']> => ({ height, catchingUp: false });

function viewOf(before: Partial<Said>, migration?: string, serves = true): NodeView {
  const status = { ...before, ...(migration !== undefined && { migration: { phase: migration } }) };
  const node = { metadata: { namespace: 'n', name: 'a' }, status } as unknown as ChainNode;
  return { node, desired: { runs: true, serves, isProtected: false } } as unknown as NodeView;
}

/** Of a pace that has just given its turn away. */
function tells(before: Partial<Said>, now: Partial<Said>, moving = false): boolean {
  const pace = new HeightPace({ intervalMs: 1e9 });
  while (pace.mayTell('n/other', 1));
  pace.mayTell('n/a', 1, moving);
  const base: Said = {
    phase: 'Running',
    conditions: synced('True'),
    chain: chainAt(5),
    isMoving: moving,
    nowMs: 2,
  };
  return tellsNow(pace, viewOf({ ...base, ...before }), { ...base, ...now });
}

it('what is new is written at once', () => {
  expect(tells({}, { conditions: synced('False') })).toBe(true);
  expect(tells({}, { phase: 'Syncing' })).toBe(true);
});

it('a height, an age or a count alone waits for its turn, and nothing at all has none', () => {
  expect(tells({}, { chain: chainAt(6) })).toBe(false);
  const behind = (height: number) => synced('False', `at height ${height}`);
  expect(tells({ conditions: behind(5) }, { conditions: behind(6) })).toBe(false);
  expect(tells({}, {})).toBe(false);
  const later = { chain: chainAt(6), nowMs: 10_000 };
  expect(tells({}, later, true)).toBe(true);
});

it('a node that syncs or is migrated gets somewhere, one that is held or waits does not', () => {
  const said = (over: object) => ({ report: { stage: 'running', catchingUp: false, height: 5, ...over } });
  const seen = (over: object) => ({ ...viewOf({}), observation: said(over) }) as unknown as NodeView;
  expect(isMoving(seen({}), false)).toBe(false);
  for (const over of [{ catchingUp: true }, { stage: 'restoring' }, { height: 0 }])
    expect(isMoving(seen(over), false)).toBe(true);
  expect(isMoving(viewOf({}, 'Applying', false), true)).toBe(true);
  expect(isMoving(viewOf({}, 'Held', false), true)).toBe(false);
  expect(isMoving(viewOf({}, 'WaitingForSlot', true), true)).toBe(false);
});
