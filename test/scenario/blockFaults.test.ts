import { silentLogger } from '@chain/platform';
import { createMetricsRegistry } from '@chain/platform/metrics';
import { describe, expect, it } from 'vitest';
import { createEvmEngine, type EvmEngine } from '../../node/src/evm/index.ts';
import { createExecution } from '../../node/src/execution/index.ts';
import { signRaw, TestChain, testAccount } from '../../node/src/execution/testChain.fixture.ts';
import { readAccount } from '../../node/src/ledger/index.ts';
import { concatBytes, hexToBytes } from '../../node/src/primitives/index.ts';
import { sendMessage, signLedger } from '../support/ledgerClient.ts';

const [alice, bob] = [testAccount(0), testAccount(1)];
const transfer = (nonce = 0n): Uint8Array => signRaw(bob, { nonce, to: alice.evmAddress, value: 1n });
const send = (): Promise<Uint8Array> =>
  signLedger(alice, [sendMessage(alice.chainAddress, bob.chainAddress, '1')], { accountNumber: 1 });
/** Init code that does nothing. */
const deployment = signRaw(alice, { data: hexToBytes('00') });

/** An engine that fails every message in one way. */
const failing = (fail: () => never): EvmEngine => ({
  name: 'failing',
  version: '0',
  execute: () => new Promise(() => fail()),
});

const recurse = (): never => [recurse()].at(0) as never;
const MEMORY_IS_FULL = (): never => {
  throw new RangeError('Array buffer allocation failed');
};

describe('an error of the machine within a block', () => {
  it.each([
    ['stack', recurse, 'Maximum call stack size exceeded'],
    ['memory', MEMORY_IS_FULL, 'Array buffer allocation failed'],
  ])('leaves no result but stops: the %s is full', async (_what, fail, said) => {
    const chain = await TestChain.start(undefined, failing(fail));
    await expect(chain.block([transfer(), deployment])).rejects.toMatchObject({
      code: 'EXECUTION_OUT_OF_RESOURCES',
      message: expect.stringContaining(said),
      fields: { height: 2 },
    });
    expect(chain.height).toBe(1);
  });

  it('stops as well when a message of the ledger meets it', async () => {
    const chain = await TestChain.start();
    const raw = await send();
    const full = {
      get: (store: string, key: Uint8Array) =>
        isRowOf(alice.chainAddress, key) ? recurse() : chain.state.get(store, key),
      iterate: chain.state.iterate.bind(chain.state),
    };
    const run = chain.execution.runBlock({ context: chain.context(), txs: [raw] }, full);
    await expect(run).rejects.toMatchObject({ code: 'EXECUTION_OUT_OF_RESOURCES' });
    // No block depends on a check.
    expect(() => chain.execution.checkTransaction(raw, full, chain.context())).toThrow(RangeError);
  });
});

describe('an exception that nobody declared', () => {
  const SAID = ['the text of one engine', 'and that of another'];
  it.each(SAID)('costs an EVM transaction its gas and has no text of its own: %s', async (text) => {
    const engine = failing(() => {
      throw new TypeError(text);
    });
    const chain = await TestChain.start(undefined, engine);
    const { results, receipts } = await chain.block([deployment, transfer()]);
    expect(receipts[0]).toMatchObject({ status: 0, gasUsed: 200_000n, vmError: 'internal engine error' });
    expect(results.map(({ code }) => code)).toEqual([45, 0]);
  });

  it('refuses a ledger transaction with one code, is counted, and lets the next ones run', async () => {
    const metrics = createMetricsRegistry();
    const chain = await TestChain.start();
    const execution = createExecution(
      {},
      { engine: createEvmEngine({ chainId: 713_714n }), logger: silentLogger, metrics },
    );
    // Nothing in the ledger writes such a row: its reader does not expect it.
    const account = readAccount(chain.state, alice.chainAddress)!;
    chain.state.apply([
      {
        store: 'acc',
        changes: [{ key: concatBytes(Uint8Array.of(1), account.address), value: Uint8Array.of(10, 99) }],
      },
    ]);
    const raw = await send();
    const { results } = await execution.runBlock(
      { context: chain.context(), txs: [raw, transfer()] },
      chain.state,
    );
    expect(results[0]).toMatchObject({ code: 111_222, codespace: 'undefined', log: 'internal error: panic' });
    expect(results[1]).toMatchObject({ code: 0 });
    expect(await metrics.text()).toContain('chain_execution_faults_total 1');
    expect(() => execution.checkTransaction(raw, chain.state, chain.context())).toThrow(
      expect.objectContaining({
        code: 'EXECUTION_REJECTED_OTHER',
        message: 'unknown: internal error',
        fields: { abciCode: 1, codespace: 'undefined' },
      }),
    );
  });
});

function isRowOf(address: Uint8Array, key: Uint8Array): boolean {
  return key.length > address.length && Buffer.from(key).includes(Buffer.from(address));
}
