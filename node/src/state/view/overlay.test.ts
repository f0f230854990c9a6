import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareBytes, utf8 } from '../../primitives/index.ts';
import { Overlay } from './overlay.ts';
import type { KeyRange, KeyValue, PointReads, RangeReads } from './reads.ts';

/** The simplest parent there is: a map. */
class MapState implements PointReads, RangeReads {
  readonly rows = new Map<string, Uint8Array>();
  get = (_store: string, key: Uint8Array) => this.rows.get(Buffer.from(key).toString('latin1'));
  *iterate(_store: string, { start, end, reverse }: KeyRange = {}): Iterable<KeyValue> {
    const rows = [...this.rows].map(([key, value]): KeyValue => [Buffer.from(key, 'latin1'), value]);
    const inRange = rows.filter(
      ([key]) => (!start || compareBytes(key, start) >= 0) && (!end || compareBytes(key, end) < 0),
    );
    inRange.sort(([a], [b]) => (reverse ? compareBytes(b, a) : compareBytes(a, b)));
    yield* inRange;
  }
}

const key = fc
  .uint8Array({ minLength: 1, maxLength: 2 })
  .map((bytes) => bytes.map((byte) => 0x5f + (byte % 5)));
const step = fc.oneof(
  fc.record({ do: fc.constant('set' as const), key, value: fc.uint8Array({ maxLength: 2 }) }),
  fc.record({ do: fc.constant('delete' as const), key }),
  fc.record({ do: fc.constant('deletePrefix' as const), key: key.map((bytes) => bytes.subarray(0, 1)) }),
  fc.record({ do: fc.constant('mark' as const) }),
  fc.record({ do: fc.constant('revert' as const) }),
);

describe('Overlay', () => {
  it('reads, ranges, reverts and change sets equal those of a map copied at each mark', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('a', 'ab', 'b', 'c'), fc.uint8Array({ maxLength: 2 })),
        fc.array(step),
        (start, steps) => {
          const parent = new MapState();
          for (const [name, value] of Object.entries(start)) parent.rows.set(name, value);
          const overlay = new Overlay(parent);
          const model = new MapState();
          for (const [name, value] of parent.rows) model.rows.set(name, value);
          const marks: [number, Map<string, Uint8Array>][] = [];
          for (const next of steps) {
            const name = 'key' in next ? Buffer.from(next.key).toString('latin1') : '';
            if (next.do === 'set') {
              overlay.set('s', next.key, next.value);
              model.rows.set(name, next.value);
            } else if (next.do === 'delete') {
              overlay.delete('s', next.key);
              model.rows.delete(name);
            } else if (next.do === 'deletePrefix') {
              overlay.deletePrefix('s', next.key);
              for (const known of [...model.rows.keys()])
                if (known.startsWith(name)) model.rows.delete(known);
            } else if (next.do === 'mark') {
              marks.push([overlay.mark(), new Map(model.rows)]);
            } else {
              const last = marks.pop();
              if (!last) continue;
              overlay.revertTo(last[0]);
              model.rows.clear();
              for (const [name, value] of last[1]) model.rows.set(name, value);
            }
          }
          for (const reverse of [false, true]) {
            for (const range of [{}, { start: utf8('ab') }, { start: Uint8Array.of(1), end: utf8('b') }]) {
              const seen = [...overlay.iterate('s', { ...range, reverse })].map(([k, v]) => [[...k], [...v]]);
              expect(seen).toEqual(
                [...model.iterate('s', { ...range, reverse })].map(([k, v]) => [[...k], [...v]]),
              );
            }
          }
          for (const { changes } of overlay.changes()) {
            for (const change of changes) expect(model.get('s', change.key) ?? null).toEqual(change.value);
            const keys = changes.map((change) => change.key);
            expect(keys).toEqual([...keys].sort(compareBytes));
            for (const { key: changed, value } of changes) {
              const changedName = Buffer.from(changed).toString('latin1');
              if (value) parent.rows.set(changedName, value);
              else parent.rows.delete(changedName);
            }
          }
          expect(new Map([...parent.rows].sort())).toEqual(new Map([...model.rows].sort()));
        },
      ),
    );
  });

  it('hides what a parent has under a deleted prefix, until that is taken back', () => {
    const parent = new MapState();
    for (const name of ['ab', 'ac', 'b']) parent.rows.set(name, utf8('old'));
    const overlay = new Overlay(parent);
    const mark = overlay.mark();
    overlay.deletePrefix('s', utf8('a'));
    overlay.set('s', utf8('ac'), utf8('new'));
    expect(['ab', 'ac', 'b'].map((name) => overlay.get('s', utf8(name)))).toEqual([
      undefined,
      utf8('new'),
      utf8('old'),
    ]);
    overlay.revertTo(mark);
    expect(overlay.get('s', utf8('ab'))).toEqual(utf8('old'));
  });

  it('keeps an empty value apart from a delete', () => {
    const overlay = new Overlay(new MapState());
    overlay.set('s', utf8('empty'), new Uint8Array(0));
    overlay.set('s', utf8('gone'), utf8('x'));
    overlay.delete('s', utf8('gone'));
    expect(overlay.get('s', utf8('empty'))).toEqual(new Uint8Array(0));
    expect(overlay.get('s', utf8('gone'))).toBeUndefined();
    expect(overlay.changes()[0]!.changes.map((change) => change.value?.length ?? null)).toEqual([0, null]);
  });
});
