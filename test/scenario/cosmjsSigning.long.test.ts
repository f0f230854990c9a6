import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  assertIsDeliverTxSuccess,
  coins,
  isDeliverTxFailure,
  QueryClient,
  type SigningStargateClient,
  StargateClient,
  setupDistributionExtension,
  setupStakingExtension,
  setupTxExtension,
} from '@cosmjs/stargate';
import { connectComet } from '@cosmjs/tendermint-rpc';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toBech32 } from '../../node/src/primitives/index.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';
import { stargateClient } from '../support/stargateClient.ts';

let root: string;
let node: DevNode;
let validator: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'cosmjs-signing-'));
  node = await startDevNode({ home: join(root, 'home'), blockTimeMs: 100 });
  const { validators } = await (await queries()).staking.validators('BOND_STATUS_BONDED');
  validator = validators[0]!.operatorAddress;
});
afterAll(async () => {
  await node?.kill9();
  rmSync(root, { recursive: true, force: true });
});

const NOBODY = toBech32(new Uint8Array(20).fill(1));

async function queries() {
  const comet = await connectComet(node.consensusUrl);
  return QueryClient.withExtensions(
    comet,
    setupStakingExtension,
    setupDistributionExtension,
    setupTxExtension,
  );
}

describe("CosmJS's StargateClient", () => {
  it('reads accounts, balances and sequences', async () => {
    const { address } = await stargateClient(node.consensusUrl, 5);
    const client = await StargateClient.connect(node.consensusUrl);
    expect(await client.getAccount(address)).toMatchObject({ address, sequence: 0 });
    expect(BigInt((await client.getBalance(address, 'usei')).amount)).toBeGreaterThan(10n ** 6n);
    expect(await client.getAllBalances(address)).toEqual([
      await client.getBalance(address, 'usei'),
      { denom: 'utest', amount: '1000000000000' },
    ]);
    expect(await client.getSequence(address)).toEqual({ accountNumber: expect.any(BigInt), sequence: 0 });
    client.disconnect();
  });

  it('finds no account where there is none, and names the reason of a bad address', async () => {
    const client = await StargateClient.connect(node.consensusUrl);
    expect(await client.getAccount(NOBODY)).toBeNull();
    expect(await client.getBalance(NOBODY, 'usei')).toEqual({ denom: 'usei', amount: '0' });
    await expect(client.getBalance('chain1x', 'usei')).rejects.toThrow(/code = InvalidArgument.*address/);
    await expect(client.getDelegation(NOBODY, validator)).resolves.toBeNull();
    client.disconnect();
  });
});

describe.each(['direct', 'amino'] as const)("CosmJS's SigningStargateClient, signing in %s mode", (mode) => {
  let client: SigningStargateClient;
  let address: string;
  beforeAll(async () => {
    ({ client, address } = await stargateClient(node.consensusUrl, mode === 'direct' ? 1 : 2, mode));
  });
  afterAll(() => client?.disconnect());

  it('sends tokens for a fee that it simulates, and finds the transaction again', async () => {
    const { address: to } = await stargateClient(node.consensusUrl, 7);
    const before = BigInt((await client.getBalance(to, 'usei')).amount);
    const sent = await client.sendTokens(address, to, coins(12_345, 'usei'), 'auto', 'for <you> & me');
    assertIsDeliverTxSuccess(sent);
    expect(sent.gasUsed).toBeLessThanOrEqual(sent.gasWanted);
    // CosmJS multiplies what was simulated by 1.4.
    expect(Number(sent.gasWanted)).toBeLessThan(2 * Number(sent.gasUsed));
    expect(BigInt((await client.getBalance(to, 'usei')).amount)).toBe(before + 12_345n);
    const found = await client.getTx(sent.transactionHash);
    expect(found).toMatchObject({ height: sent.height, code: 0, hash: sent.transactionHash });
    const search = await client.searchTx(`transfer.recipient='${to}' AND transfer.sender='${address}'`);
    expect(search.map(({ hash }) => hash)).toEqual([sent.transactionHash]);
    const { tx } = await queries();
    const { txResponse } = await tx.getTx(sent.transactionHash);
    expect(txResponse).toMatchObject({ txhash: sent.transactionHash, code: 0 });
  });

  it('delegates, undelegates and withdraws rewards', async () => {
    const amount = { denom: 'usei', amount: '5000000' };
    assertIsDeliverTxSuccess(await client.delegateTokens(address, validator, amount, 'auto'));
    expect(await client.getDelegation(address, validator)).toEqual(amount);
    expect(await client.getBalanceStaked(address)).toEqual(amount);
    // What others pay is shared out in the block after it.
    const { client: other, address: payer } = await stargateClient(node.consensusUrl, 3);
    const fee = { amount: coins(2_000_000, 'usei'), gas: '200000' };
    assertIsDeliverTxSuccess(await other.sendTokens(payer, payer, coins(1, 'usei'), fee));
    other.disconnect();
    const withdrawn = await client.withdrawRewards(address, validator, 'auto');
    assertIsDeliverTxSuccess(withdrawn);
    const event = withdrawn.events.find(({ type }) => type === 'withdraw_rewards');
    expect(event?.attributes).toContainEqual({
      key: 'amount',
      value: expect.stringMatching(/^[1-9]\d*usei$/),
    });
    const part = { denom: 'usei', amount: '2000000' };
    assertIsDeliverTxSuccess(await client.undelegateTokens(address, validator, part, 'auto'));
    expect(await client.getDelegation(address, validator)).toEqual({ denom: 'usei', amount: '3000000' });
  });

  it('is told why a simulation fails, and the code of a message that fails in its block', async () => {
    const huge = coins('1'.repeat(30), 'usei');
    await expect(client.sendTokens(address, NOBODY, huge, 'auto')).rejects.toThrow(
      /code = Unknown desc = .*insufficient funds with gas used: '\d+'/,
    );
    const failed = await client.sendTokens(address, NOBODY, huge, {
      amount: coins(4000, 'usei'),
      gas: '200000',
    });
    expect(isDeliverTxFailure(failed)).toBe(true);
    expect(failed).toMatchObject({ code: 5, rawLog: expect.stringMatching(/insufficient funds/) });
  });

  it('is refused by CheckTx with a code, and nothing is lost', async () => {
    const before = await client.getSequence(address);
    const poor = { amount: coins(4000, 'uother'), gas: '200000' };
    await expect(client.sendTokens(address, NOBODY, coins(1, 'usei'), poor)).rejects.toMatchObject({
      code: 13,
      codespace: 'sdk',
    });
    expect(await client.getSequence(address)).toEqual(before);
  });
});
