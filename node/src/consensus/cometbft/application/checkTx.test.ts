import { silentLogger } from '@chain/platform';
import { CheckTxType, RequestCheckTx } from 'cosmjs-types/tendermint/abci/types';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CheckedTransaction } from '../../../execution/index.ts';
import { createRelayedMempool, type RelayedMempool } from '../../../mempool/index.ts';
import { sha256 } from '../../../primitives/index.ts';
import { checkTx } from './checkTx.ts';

/** One byte is a transaction of the sender of that name, with nonce 0. */
function check(raw: Uint8Array): CheckedTransaction {
  const hash = sha256(raw);
  const sender = new Uint8Array(20).fill(raw[0]!);
  return {
    raw,
    ledgerHash: hash,
    evm: { hash, sender, nonce: 0n, transaction: { value: 0n } },
    cost: 210_000n,
    payer: { chainAddress: sender, evmAddress: sender },
    sender,
    nonce: 0n,
    stateNonce: 0n,
    gasLimit: 21_000n,
    feeCap: 10n,
    tipCap: 1n,
  } as CheckedTransaction;
}

let pool: RelayedMempool;
beforeEach(() => {
  pool = createRelayedMempool(
    {},
    {
      checkTransaction: check,
      lookAhead: () => new Promise((done) => setImmediate(done)),
      forgetTransaction: () => undefined,
      nonceOf: () => 0n,
      fundsOf: () => 10n ** 18n,
      baseFee: () => 1n,
      clock: { now: () => 0 },
      logger: silentLogger,
    },
  );
});
const request = (name: number, type = CheckTxType.NEW) =>
  RequestCheckTx.fromPartial({ tx: Uint8Array.of(name), type });

describe('CheckTx', () => {
  it('takes what a client brings while it waits, for this node holds it then', async () => {
    const added = pool.add(Uint8Array.of(1));
    expect((await checkTx(request(1), pool)).code).toBe(0);
    expect((await added).gasLimit).toBe(21_000n);
    expect((await checkTx(request(1), pool)).code).toBe(0);
    expect(pool.size).toBe(1);
  });

  it('asked again, refuses what has left the pool', async () => {
    expect((await checkTx(request(1), pool)).code).toBe(0);
    expect((await checkTx(request(1, CheckTxType.RECHECK), pool)).code).toBe(0);
    pool.clear();
    expect((await checkTx(request(1, CheckTxType.RECHECK), pool)).code).toBe(1);
  });
});
