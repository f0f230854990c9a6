import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex, hexToBytes, padLeft } from '../primitives/index.ts';
import { CALLER, CONTRACT, OTHER, runInTest, testHost, testMessage } from './evmTestHost.ts';
import { executeTransfer } from './transfer.ts';

const changesOf = (host: ReturnType<typeof testHost>): string[] =>
  host.state.overlay
    .changes()
    .flatMap(({ store, changes }) =>
      changes
        .filter(({ value }) => value !== null)
        .map(({ key, value }) => `${store} ${bytesToHex(key)} ${bytesToHex(value!)}`),
    );

describe('a transfer without an engine', () => {
  test('ends as it does in the library', async () => {
    const cases = fc.record({
      balances: fc.tuple(fc.bigInt(0n, 10n ** 14n), fc.bigInt(0n, 10n ** 14n)),
      value: fc.bigInt(0n, 10n ** 14n),
      to: fc.constantFrom(OTHER, CALLER, CONTRACT),
      data: fc.uint8Array({ maxLength: 8 }),
      isStatic: fc.constant(false),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ balances, ...change }) => {
        const hosts = [testHost(), testHost()];
        for (const { state } of hosts) {
          state.setBalance(CALLER, balances[0]);
          state.setBalance(OTHER, balances[1]);
        }
        const byLibrary = await runInTest(hosts[0]!, change);
        const direct = executeTransfer(testMessage(change), hosts[1]!);
        expect(direct).toEqual(byLibrary);
        expect(changesOf(hosts[1]!)).toEqual(changesOf(hosts[0]!));
      }),
      { numRuns: 80 },
    );
  });

  test('leaves code, delegations, precompiles and creations to the engine', () => {
    const host = testHost();
    const run = (to: Uint8Array | null) => executeTransfer(testMessage({ to }), host);
    host.state.setCode(CONTRACT, Uint8Array.of(0));
    host.state.setCode(OTHER, hexToBytes(`ef0100${'11'.repeat(20)}`));
    expect([CONTRACT, OTHER, null].map(run)).toEqual([undefined, undefined, undefined]);
    expect(
      [1, 0x11, 0x1004].map((n) => run(padLeft(hexToBytes(n.toString(16).padStart(4, '0')), 20))),
    ).toEqual([undefined, undefined, undefined]);
    expect(run(padLeft(Uint8Array.of(0x12), 20))?.error).toBeUndefined();
    expect(run(padLeft(Uint8Array.of(0x12), 20))).toBeDefined();
  });
});
