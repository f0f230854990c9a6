import { describe, expect, it } from 'vitest';
import { impersonatedTransaction, readNonce, wrapEvmTransaction, wrapStateEdit } from '../../evm/index.ts';
import { readBalanceWei } from '../../ledger/index.ts';
import { GWEI, signRaw, TestChain, testAccount } from '../testChain.fixture.ts';

const STRANGER = new Uint8Array(20).fill(0x57);

describe('outside of a development home', () => {
  it('refuses an edit of state', async () => {
    const chain = await TestChain.start();
    const { results } = await chain.block([wrapStateEdit({ kind: 'balance', address: STRANGER, wei: 1n })]);
    expect(results).toMatchObject([{ log: expect.stringContaining('/chain.dev.v1.MsgEditState') }]);
    expect(results[0]!.code).not.toBe(0);
    expect(readBalanceWei(chain.state, STRANGER)).toBe(0n);
  });

  it('refuses a transaction that names its sender instead of being signed, and leaves the sender alone', async () => {
    const chain = await TestChain.start();
    const { evmAddress } = testAccount(0);
    const raw = wrapEvmTransaction(
      impersonatedTransaction(
        {
          type: 2,
          chainId: 713_714n,
          nonce: 0n,
          gasLimit: 21_000n,
          gasPrice: undefined,
          maxFeePerGas: 10n * GWEI,
          maxPriorityFeePerGas: GWEI,
          to: STRANGER,
          value: 1n,
          data: new Uint8Array(0),
          accessList: [],
          authorizationList: [],
        },
        evmAddress,
      ),
    );
    const { results, receipts } = await chain.block([raw, signRaw(testAccount(1), { to: STRANGER })]);
    expect(results[0]).toMatchObject({ log: expect.stringContaining('invalid transaction v, r, s values') });
    expect(receipts).toHaveLength(1);
    expect(readNonce(chain.state, evmAddress)).toBe(0n);
    expect(() => chain.execution.checkTransaction(raw, chain.state, chain.context())).toThrow(/v, r, s/);
  });
});
