import { CodedError, silentLogger } from '@chain/platform';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CheckedTransaction } from '../execution/index.ts';
import { sha256 } from '../primitives/index.ts';
import { createRelayedMempool, type RelayedMempool } from './relayedMempool.ts';

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
let relayed: number[];
beforeEach(() => {
  relayed = [];
  pool = createRelayedMempool(
    {},
    {
      checkTransaction: check,
      forgetTransaction: () => undefined,
      nonceOf: () => 0n,
      fundsOf: () => 10n ** 18n,
      baseFee: () => 1n,
      clock: { now: () => 0 },
      logger: silentLogger,
    },
  );
});
const tx = (name: number): Uint8Array => Uint8Array.of(name);
const record = async (raw: Uint8Array): Promise<void> => void relayed.push(raw[0]!);

describe('a pool with peers', () => {
  it('relays what clients bring, and not what peers bring', async () => {
    pool.relayTo(record);
    await pool.add(tx(1));
    await pool.admit(tx(2));
    expect([relayed, pool.size]).toEqual([[1], 2]);
    expect(pool.holds(sha256(tx(2)))).toBe(true);
  });

  it('lets go of what the network refuses, with its words', async () => {
    pool.relayTo(() => Promise.reject(new CodedError('MEMPOOL_FULL', 'mempool is full')));
    await expect(pool.add(tx(1))).rejects.toThrow('mempool is full');
    expect([pool.size, pool.holds(sha256(tx(1)))]).toEqual([0, false]);
  });

  it('keeps what nobody takes now, and relays it later', async () => {
    pool.relayTo(() => Promise.reject(new CodedError('MEMPOOL_RELAY_DOWN', 'away')));
    await pool.add(tx(1));
    await pool.admit(tx(2));
    pool.relayTo(record);
    await pool.relayAll();
    expect(relayed).toEqual([1, 2]);
  });
});
