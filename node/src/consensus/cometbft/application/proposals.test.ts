import { CodedError } from '@chain/platform';
import { describe, expect, it } from 'vitest';
import type { ReadTransaction } from '../../../execution/index.ts';
import { proposalProblem } from './proposals.ts';

/** A transaction is written as `sender,nonce,gas`, or `ledger,gas`; anything else cannot be read. */
const execution = {
  readAhead: () => undefined,
  readTransaction: (raw: Uint8Array): ReadTransaction => {
    const [sender = '', nonce = '', gas] = Buffer.from(raw).toString().split(',');
    if (sender === 'ledger') return { gasLimit: BigInt(nonce) };
    if (gas === undefined) throw new CodedError('LEDGER_REFUSED', 'no transaction');
    return { gasLimit: BigInt(gas), evm: { sender: Buffer.from(sender), nonce: BigInt(nonce) } };
  },
};
const problem = (maxGas: bigint, ...txs: string[]) =>
  proposalProblem(
    txs.map((tx) => Buffer.from(tx)),
    { maxGas },
    { execution },
  );

describe('a proposed block', () => {
  it('is voted for when nonces follow one another and the gas fits', async () => {
    expect(await problem(100n)).toBeUndefined();
    expect(await problem(100n, 'a,7,30', 'b,0,30', 'a,8,30', 'ledger,10')).toBeUndefined();
    expect(await problem(-1n, 'a,7,1000000')).toBeUndefined();
  });

  it('is refused with more gas than a block has', async () => {
    expect(await problem(100n, 'a,0,60', 'ledger,41')).toContain('more than 100 gas');
  });

  it('is refused with a gap, a repetition or a step back in the nonces of a sender', async () => {
    expect(await problem(100n, 'a,1,1', 'a,3,1')).toContain('nonce 3 behind 1');
    expect(await problem(100n, 'a,1,1', 'b,5,1', 'a,1,1')).toContain('nonce 1 behind 1');
    expect(await problem(100n, 'a,2,1', 'a,1,1')).toContain('nonce 1 behind 2');
  });

  it('is refused with bytes that nobody can read', async () => {
    expect(await problem(100n, 'a,0,1', 'what')).toBe('transaction 1 cannot be read');
  });
});
