import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Interface, JsonRpcProvider } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentAccount } from '../support/accounts.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';

const STAKING = `0x${'1005'.padStart(40, '0')}`;
const DISTRIBUTION = `0x${'1007'.padStart(40, '0')}`;
const staking = new Interface(readFileSync('docs/abi/staking.json', 'utf8'));
const distribution = new Interface(readFileSync('docs/abi/distribution.json', 'utf8'));

const home = mkdtempSync(join(tmpdir(), 'pointers-calls-'));
let node: DevNode;
let provider: JsonRpcProvider;
beforeAll(async () => {
  node = await startDevNode({ home, split: true, blockTimeMs: 200 });
  provider = new JsonRpcProvider(node.url);
}, 60_000);
afterAll(async () => {
  provider.destroy();
  await node.stop();
  rmSync(home, { recursive: true });
});

/** Result of a view of the staking precompile, by `eth_call` on a block. */
async function ask(name: string, args: readonly unknown[], block: string) {
  const call = { to: STAKING, data: staking.encodeFunctionData(name, args) };
  const data = (await provider.send('eth_call', [call, block])) as string;
  return staking.decodeFunctionResult(name, data)[0];
}

describe('calls of a running node that list the ledger', () => {
  it('answer at the newest block, at a past one and on what is pending, from either thread', async () => {
    const past = await provider.send('eth_blockNumber', []);
    const { operatorAddress, tokens } = (await ask('validators', ['', '0x'], 'latest')).validators[0];
    const operator = developmentAccount(0).address;
    const [own] = (await ask('delegatorDelegations', [operator, '0x'], 'latest')).delegations;
    expect(own.delegation.validator_address).toBe(operatorAddress);
    const hash = await provider.send('eth_sendTransaction', [
      {
        from: operator,
        to: STAKING,
        value: '0xde0b6b3a7640000',
        gas: '0x7a120',
        data: staking.encodeFunctionData('delegate', [operatorAddress]),
      },
    ]);
    const receipt = await provider.waitForTransaction(hash);
    expect(receipt!.status).toBe(1);
    const now = await ask('validators', ['BOND_STATUS_BONDED', '0x'], 'latest');
    expect(BigInt(now.validators[0].tokens)).toBe(BigInt(tokens) + 1_000_000n);
    expect((await ask('validators', ['', '0x'], past)).validators[0].tokens).toBe(tokens);
    expect((await ask('validators', ['', '0x'], 'pending')).validators).toHaveLength(1);
    expect((await ask('validators', ['', '0xff'], 'latest')).validators).toHaveLength(0);
    const call = { to: STAKING, data: staking.encodeFunctionData('validators', ['', '0x']) };
    // Traces always run on worker threads.
    const trace = await provider.send('debug_traceCall', [call, 'latest', { tracer: 'callTracer' }]);
    expect(trace.output).toBe(await provider.send('eth_call', [call, 'latest']));
    const block = await provider.send('debug_traceBlockByNumber', [`0x${receipt!.blockNumber.toString(16)}`]);
    expect(block[0].result).toMatchObject({ failed: false });
    const rewards = { to: DISTRIBUTION, data: distribution.encodeFunctionData('rewards', [operator]) };
    expect(BigInt(await provider.send('eth_estimateGas', [rewards]))).toBeGreaterThan(21_000n);
  });
});
