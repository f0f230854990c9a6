import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Hex, toHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Peer, startAnvil } from '../bench/peers.ts';
import { developmentAccount } from '../support/accounts.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';
import { createRandom } from '../support/random.ts';
import { type ProgramPool, randomProgram } from '../support/randomPrograms.ts';
import { rpcCall } from '../support/rpcCall.ts';

/* The same blocks to eth_simulateV1 of this node and of anvil. Programs ask for nothing of their block. */
const SEED = 20_250_601;
const ROUNDS = 12;
const TRANSFERS = `0x${'ee'.repeat(20)}`;
/** Warm from the start (EIP-3651), which costs. */
const FEE_COLLECTOR = '0x27f7b8b8b5a4e71e8e9aa671f4e4031e3773303f';
const [alice, bob] = [developmentAccount(0).address, developmentAccount(1).address];

interface Call {
  readonly status: Hex;
  readonly gasUsed: Hex;
  readonly returnData: Hex;
  readonly logs: readonly { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }[];
}

type Done = Omit<Call, 'returnData'> & { readonly returnData: Hex | undefined };

const home = mkdtempSync(join(tmpdir(), 'simulate-'));
let node: DevNode;
let anvil: Peer;
beforeAll(async () => {
  node = await startDevNode({ home: join(home, 'home'), blockTimeMs: 0 });
  anvil = await startAnvil('--hardfork', 'prague', '--chain-id', '713714', '--gas-limit', '35000000');
});
afterAll(async () => {
  await node?.stop();
  await anvil?.stop();
  rmSync(home, { recursive: true, force: true });
});

const withoutTransfers = (call: Done): Done => ({
  ...call,
  logs: call.logs.filter(({ address }) => address !== TRANSFERS),
});

/** What a call did; what a failed one returned is told in the words of each. */
async function callsOf(url: string, payload: object): Promise<Done[]> {
  const blocks = await rpcCall<{ calls: Call[] }[]>(url, 'eth_simulateV1', [payload, 'latest']);
  return blocks.flatMap(({ calls }) =>
    calls.map(({ status, gasUsed, returnData, logs }) => ({
      status,
      gasUsed,
      returnData: status === '0x1' ? returnData : undefined,
      logs: logs.map(({ address, topics, data }) => ({ address, topics, data })),
    })),
  );
}

test(`${ROUNDS} random blocks have the same calls as in anvil`, async () => {
  const random = createRandom(SEED);
  for (let round = 0; round < ROUNDS; round++) {
    const contracts = [1, 2, 3].map((n) => toHex(0x10_0000n * BigInt(n) + BigInt(round), { size: 20 }));
    const pool: ProgramPool = { contracts, accounts: [alice, bob] };
    const stateOverrides = Object.fromEntries(
      contracts.map((address) => [
        address,
        { code: `0x${randomProgram(random, pool, 2 + random.below(9))}`, balance: '0x64' },
      ]),
    );
    const calls = contracts.map((to, i) => ({ from: alice, to, value: toHex(i), gas: toHex(1_000_000) }));
    const blockOverrides = { feeRecipient: FEE_COLLECTOR };
    const blocks = [
      { blockOverrides, stateOverrides, calls },
      { blockOverrides, calls: calls.toReversed() },
    ];
    const plain = { blockStateCalls: blocks };
    const [ours, theirs] = await Promise.all([callsOf(node.url, plain), callsOf(anvil.url, plain)]);
    expect(ours, `round ${round}`).toEqual(theirs);
    // Anvil shows transfers of frames that were reverted, geth does not: here the other logs must stay what they are.
    const traced = await callsOf(node.url, { ...plain, traceTransfers: true });
    expect(traced.map(withoutTransfers), `round ${round}`).toEqual(ours);
  }
});
