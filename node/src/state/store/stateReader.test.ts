import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { availableBackends } from '../../db/index.ts';
import { openStateReader, type StateReader } from './stateReader.ts';
import type { StateStore } from './stateStore.ts';
import { block, bytes, StoreHome, type Writes } from './stateStoreCompliance.ts';

const PLACEMENTS = [
  ['one store', { split: false, separateDbs: false }],
  ['split', { split: true, separateDbs: false }],
  ['split, separate databases', { split: true, separateDbs: true }],
] as const;
const KEYS = ['a', 'aa', `\x03${'s'.repeat(52)}`, `\x0a${'n'.repeat(20)}`, `\x07${'c'.repeat(20)}`];

const key = fc.constantFrom(...KEYS);
const value = fc.option(fc.stringMatching(/^[a-z]{0,150}$/), { nil: null });
const writes: fc.Arbitrary<Writes> = fc.dictionary(fc.constantFrom('bank', 'evm'), fc.dictionary(key, value));
/** Blocks, and whether the reader looks after each. */
const steps = fc.array(fc.record({ writes, looks: fc.boolean() }), { maxLength: 60 });

for (const backend of availableBackends()) {
  for (const [placement, options] of PLACEMENTS) {
    describe(`a reader beside ${backend}, ${placement}`, () => {
      let home: StoreHome;
      let store: StateStore;
      let reader: StateReader;
      beforeEach(async () => {
        home = await StoreHome.create();
        store = await home.open({ ...options, backend, asyncWriteBuffer: 100 });
        reader = await openStateReader(store.handles!);
      });
      afterEach(async () => {
        await reader.close();
        await store.close();
        await home.remove();
      });

      it('finds what the store does, at every version that it was told is there', async () => {
        let version = 0;
        const look = async (): Promise<void> => {
          await store.reached(version);
          reader.advance(version, store.rewinds);
          for (let at = 0; at <= version; at++) {
            for (const name of ['bank', 'evm']) {
              for (const text of KEYS) {
                expect(reader.get(name, bytes(text), at)).toEqual(store.get(name, bytes(text), at));
              }
            }
          }
        };
        const run = async (blocks: readonly { writes: Writes; looks: boolean }[]): Promise<void> => {
          for (const { writes: written, looks } of blocks) {
            await store.apply(block(++version, written));
            if (looks) await look();
          }
          await look();
        };
        await fc.assert(fc.asyncProperty(steps, run), { numRuns: 4 });
      });

      it('refuses use after close', async () => {
        await reader.close();
        expect(() => reader.get('evm', bytes('a'), 0)).toThrow(/closed/);
      });
    });
  }
}
