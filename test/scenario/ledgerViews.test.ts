import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLedgerSource } from '../../node/src/app/ledgerSource.ts';
import { chainAddressOf, publicKeyOf, sha256, toHexData } from '../../node/src/primitives/index.ts';
import { LEGACY_METHODS, type LedgerSource } from '../../node/src/rpc/index.ts';
import { openRpcFixture, type RpcFixture } from '../../node/src/rpc/rpc.fixture.ts';
import { ACCOUNTS, KEYS, sign } from '../../node/src/rpc/testTransactions.fixture.ts';
import { sendMessage, signLedger } from '../support/ledgerClient.ts';

const [from, to] = KEYS.map((privateKey) => {
  const publicKey = publicKeyOf(privateKey, true)!;
  return { privateKey, chainAddress: chainAddressOf(publicKey) };
}) as [Parameters<typeof signLedger>[0], Parameters<typeof signLedger>[0]];

let rpc: RpcFixture;
let send: Uint8Array;
let failed: Uint8Array;

beforeAll(async () => {
  const ledgerSource: LedgerSource = {
    transfers: (record) => openLedgerSource(rpc.chain).transfers(record),
    synthetic: (record, receipt) => openLedgerSource(rpc.chain).synthetic(record, receipt),
  };
  rpc = await openRpcFixture({ legacyMethods: LEGACY_METHODS, ledgerSource });
  await rpc.block();
  const message = sendMessage(from.chainAddress, to.chainAddress, '250');
  const signing = { accountNumber: 1, chainId: 'test-1' };
  send = await signLedger(from, [message, message], { ...signing, sequence: 0 });
  const tooMuch = sendMessage(from.chainAddress, to.chainAddress, '9'.repeat(20));
  failed = await signLedger(from, [tooMuch], { ...signing, sequence: 1 });
  await rpc.block(sign(1, { to: ACCOUNTS[0]!, value: 1n, nonce: 0n }), send, failed);
});
afterAll(() => rpc.close());

describe('bank sends', () => {
  it('are entries of chain2_ blocks, one for each message that was carried out', async () => {
    const block = (await rpc.result('chain2_getBlockByNumber', '0x2', true)) as { transactions: unknown[] };
    expect(block.transactions).toHaveLength(3);
    const entry = {
      hash: toHexData(sha256(send)),
      from: toHexData(ACCOUNTS[0]!),
      to: toHexData(ACCOUNTS[1]!),
      value: `0x${(250n * 10n ** 12n).toString(16)}`,
      input: '0x',
    };
    expect(block.transactions[1]).toMatchObject({ ...entry, transactionIndex: '0x1' });
    expect(block.transactions[2]).toMatchObject({ ...entry, transactionIndex: '0x2' });
    expect(await rpc.result('chain2_getBlockTransactionCountByNumber', '0x2')).toBe('0x3');
  });

  it('are in no other view', async () => {
    for (const namespace of ['eth', 'chain']) {
      expect(await rpc.result(`${namespace}_getBlockTransactionCountByNumber`, '0x2')).toBe('0x1');
    }
  });

  it('are seen by eth_getBalance at once', async () => {
    const before = BigInt((await rpc.result('eth_getBalance', toHexData(ACCOUNTS[0]!), '0x1')) as string);
    const after = BigInt((await rpc.result('eth_getBalance', toHexData(ACCOUNTS[0]!), '0x2')) as string);
    // Two sends of 250 units, two fees of 2,000, and one wei that came from the EVM.
    expect(before - after).toBe(4500n * 10n ** 12n - 1n);
  });
});
