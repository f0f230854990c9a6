import assert from 'node:assert';
import { silentLogger } from '@chain/platform';
import { type Hex, hexToBytes } from 'viem';
import { createEvmEngine } from '../../node/src/evm/index.ts';
import { createExecution } from '../../node/src/execution/index.ts';
import type { BlockContext } from '../../node/src/types/index.ts';
import { rpcCall } from '../support/rpcCall.ts';
import type { BenchOptions, Report } from './bench.ts';
import { evmPrograms, type Program } from './evmPrograms.ts';
import { type Peer, startAnvil, startChaind, startGeth } from './peers.ts';

const EVM_CHAIN_ID = 713_714n;
const CONTEXT: BlockContext = {
  chainId: 'bench',
  evmChainId: EVM_CHAIN_ID,
  height: 1,
  time: { seconds: 1_700_000_000n, nanos: 0 },
  proposer: new Uint8Array(20),
  gasLimit: 35_000_000n,
  baseFee: 0n,
};
const NO_STATE = { get: () => undefined };

/** Mgas a second of one call after another: the engine in this process, then eth_call of ours, anvil and geth. */
export async function run(report: Report, { full }: BenchOptions): Promise<void> {
  const seconds = full ? 5 : 1;
  const nodes = [await startChaind(), await startAnvil(), await startGeth()];
  const peers = nodes.filter((peer) => peer !== undefined);
  try {
    for (const program of await evmPrograms(peers[0]!.url)) await compare(program);
  } finally {
    for (const peer of peers) await peer.stop();
  }

  async function compare(program: Program): Promise<void> {
    const engine = inProcess(program);
    const gas = await engine();
    assert.ok(gas > 5e6 && gas < 9.9e6, `${program.name} used ${gas} gas`);
    const value = (gas / 1e6) * (await callsPerSecond(engine, seconds));
    const [chaind, ...others] = await ratesOf(program, gas);
    const name = `${program.name}: engine in process`;
    report({ name, value, unit: 'Mgas/s', peer: 'chaind eth_call', ratio: value / chaind!.rate });
    for (const { peer, rate } of others) {
      const shown = `${peer.name} (${Math.round(rate)} Mgas/s)`;
      report({
        name: `${program.name}: eth_call`,
        value: chaind!.rate,
        unit: 'Mgas/s',
        peer: shown,
        ratio: chaind!.rate / rate,
      });
    }
  }

  async function ratesOf(program: Program, gas: number): Promise<{ peer: Peer; rate: number }[]> {
    const rates: { peer: Peer; rate: number }[] = [];
    for (const peer of peers) {
      const call = () => rpcCall(peer.url, 'eth_call', [program.request, 'latest', program.overrides]);
      rates.push({ peer, rate: (gas / 1e6) * (await callsPerSecond(call, seconds)) });
    }
    return rates;
  }
}

async function callsPerSecond(call: () => Promise<unknown>, seconds: number): Promise<number> {
  await call();
  await call();
  const started = performance.now();
  let calls = 0;
  let elapsed = 0;
  for (; elapsed < seconds; elapsed = (performance.now() - started) / 1000) {
    await call();
    calls++;
  }
  return calls / elapsed;
}

/** The same call on our engine alone; gives the gas of its execution. */
function inProcess({ name, request, overrides }: Program): () => Promise<number> {
  const engine = createEvmEngine({ chainId: EVM_CHAIN_ID });
  const execution = createExecution({}, { engine, logger: silentLogger });
  const stateOverrides = Object.entries(overrides).map(([address, { code, stateDiff = {} }]) => ({
    address: hexToBytes(address as Hex),
    code: hexToBytes(code),
    stateDiff: Object.entries(stateDiff).map(([slot, value]) => ({
      slot: hexToBytes(slot as Hex),
      value: hexToBytes(value),
    })),
  }));
  const call = { to: hexToBytes(request.to), gas: BigInt(request.gas) };
  return async () => {
    const outcome = await execution.call(call, NO_STATE, CONTEXT, { stateOverrides });
    assert.equal(outcome.status, 'success', `${name}: ${outcome.error}`);
    return Number(outcome.gasUsed - 21_000n);
  };
}
