import { hexToBytes } from '../primitives/index.ts';
import { EMPTY_STATE, Overlay } from '../state/view/index.ts';
import { createEthereumjsEngine } from './ethereumjs/ethereumjsEngine.ts';
import { evmBlockOf } from './evmBlock.ts';
import type { EvmExecutionResult, EvmHost, EvmMessage } from './evmEngine.ts';
import { EvmState } from './evmState.ts';
import type { EvmTracer } from './evmTracer.ts';
import { CHAIN_PRECOMPILES } from './precompile/chainPrecompiles.ts';
import { writeNewestBlock } from './recentBlocks.ts';

/** Fixtures of this room's tests: accounts, a block, a state over nothing, one shared engine. */
export const CALLER = hexToBytes('aa'.repeat(20));
export const CONTRACT = hexToBytes('cc'.repeat(20));
export const OTHER = hexToBytes('dd'.repeat(20));

const TEST_CHAIN_ID = 713_714n;
const engine = createEthereumjsEngine({ chainId: TEST_CHAIN_ID });

export function testHost(tracer?: EvmTracer): EvmHost {
  const overlay = new Overlay(EMPTY_STATE);
  writeNewestBlock(overlay, { height: 299, hash: new Uint8Array(32).fill(9) });
  const context = {
    chainId: 'chain-local-1',
    evmChainId: TEST_CHAIN_ID,
    height: 300,
    time: { seconds: 1_700_000_000n, nanos: 5 },
    proposer: CALLER,
    gasLimit: 35_000_000n,
    baseFee: 7n,
  };
  const block = evmBlockOf(context, overlay);
  const state = new EvmState(overlay);
  const host = { state, block, precompiles: CHAIN_PRECOMPILES };
  return tracer ? { ...host, tracer } : host;
}

export function testMessage(change: Partial<EvmMessage> = {}): EvmMessage {
  return {
    caller: CALLER,
    to: CONTRACT,
    value: 0n,
    data: new Uint8Array(0),
    gasLimit: 1_000_000n,
    gasPrice: 11n,
    ...change,
  };
}

/** Runs a message in a transaction of its own, always by the library. */
export async function runInTest(
  host: EvmHost,
  change: Partial<EvmMessage> = {},
): Promise<EvmExecutionResult> {
  const message = testMessage(change);
  host.state.beginTransaction();
  host.state.warmAddress(message.caller);
  if (message.to) host.state.warmAddress(message.to);
  const result = await engine.execute(message, host);
  host.state.endTransaction();
  return result;
}

/** Puts the code at CONTRACT and runs it. */
export function runCode(
  host: EvmHost,
  code: string,
  change: Partial<EvmMessage> = {},
): Promise<EvmExecutionResult> {
  host.state.setCode(CONTRACT, hexToBytes(code));
  return runInTest(host, change);
}
