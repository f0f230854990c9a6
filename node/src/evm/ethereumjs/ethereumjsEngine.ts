import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { parseJson } from '@chain/platform';
import type { EVM, EVMResult, Message } from '@ethereumjs/evm';
import { Address } from '@ethereumjs/util';
import { bytesToBigint, hexToBytes } from '../../primitives/index.ts';
import type { EvmEngine, EvmExecutionResult, EvmHost, EvmMessage } from '../evmEngine.ts';
import { EVM_FORKS, type EvmFork, hasFork } from '../fork/evmFork.ts';
import { gethErrorOf } from './errors.ts';
import { createInstance, type Instance } from './instance.ts';
import { journalOver, transientStorageOver } from './journal.ts';
import { libraryPrecompile } from './precompiles.ts';
import { EthereumjsStateManager } from './stateManager.ts';
import { attachTracer } from './tracing.ts';

const manifest = readFileSync(findPackageJSON('@ethereumjs/evm', import.meta.url)!, 'utf8');
const { version } = parseJson(manifest) as { version: string };

/**
 * The engine on `@ethereumjs/evm`. An EVM object of the library holds one execution's state
 * and is costly to build, so each execution borrows one from its fork's pool, which grows to the number of executions under
 * way at a time; nothing else is shared.
 */
export function createEthereumjsEngine(options: { readonly chainId: bigint }): EvmEngine {
  const idle = new Map<EvmFork, Instance[]>(EVM_FORKS.map((fork) => [fork, []]));
  return {
    name: '@ethereumjs/evm',
    version,
    execute: async (message, host) => {
      const { fork } = host.block;
      const instance = idle.get(fork)!.pop() ?? (await createInstance(options.chainId, fork));
      const result = await run(instance, message, host);
      idle.get(fork)!.push(instance);
      return result;
    },
  };
}

async function run(instance: Instance, message: EvmMessage, host: EvmHost): Promise<EvmExecutionResult> {
  const { evm } = instance;
  const release = lend(instance, host);
  const createdAddresses = new Set<`0x${string}`>();
  try {
    const result = await evm.runCall({
      block: libraryBlock(host),
      caller: new Address(message.caller),
      origin: new Address(message.origin ?? message.caller),
      ...(message.to ? { to: new Address(message.to) } : {}),
      value: message.value,
      data: message.data,
      gasLimit: message.gasLimit,
      gasPrice: message.gasPrice,
      isStatic: message.isStatic ?? false,
      createdAddresses,
      skipNonceIncrement: true,
    });
    markDestroyed(result, host, createdAddresses);
    return resultOf(result);
  } finally {
    release();
  }
}

/** Points the instance at the host; the returned function lets go of it. */
function lend({ evm, standardPrecompiles, interrupts }: Instance, host: EvmHost): () => void {
  let current: Message;
  const onMessage = (message: Message): void => {
    current = message;
    host.interrupt?.();
  };
  interrupts.check = host.interrupt;
  evm.stateManager = new EthereumjsStateManager(host.state);
  evm.journal = journalOver(host.state, evm.stateManager);
  Object.assign(evm, {
    transientStorage: transientStorageOver(host.state),
    blockchain: { getBlock: async (number: number) => ({ hash: () => blockHash(host, number) }) },
    _precompiles: precompilesOf(standardPrecompiles, host, () => current),
  });
  evm.events.on('beforeMessage', onMessage);
  const detach = host.tracer ? attachTracer(evm, host.tracer, host) : () => undefined;
  return () => {
    interrupts.check = undefined;
    detach();
    evm.events.off('beforeMessage', onMessage);
  };
}

function precompilesOf(
  standard: EVM['precompiles'],
  host: EvmHost,
  currentMessage: () => Message,
): EVM['precompiles'] {
  const precompiles = new Map(standard);
  for (const [address, entry] of host.precompiles) {
    const moved = 'run' in entry ? undefined : entry.standard;
    if ('run' in entry) precompiles.set(address, libraryPrecompile(entry, host, currentMessage));
    else if (moved === undefined) precompiles.delete(address);
    else precompiles.set(address, standard.get(moved)!);
  }
  return precompiles;
}

function libraryBlock({ block }: EvmHost) {
  return {
    header: {
      number: block.number,
      coinbase: new Address(block.coinbase),
      timestamp: block.timestamp,
      difficulty: bytesToBigint(block.prevRandao),
      prevRandao: block.prevRandao,
      gasLimit: block.gasLimit,
      baseFeePerGas: block.baseFee,
      getBlobGasPrice: () => block.blobBaseFee,
    },
  };
}

function blockHash({ block }: EvmHost, blockNumber: number): Uint8Array {
  return block.blockHash(blockNumber) ?? new Uint8Array(32);
}

/** From Cancun on only what this transaction created is removed at its end (EIP-6780). */
function markDestroyed(
  { execResult }: EVMResult,
  { state, block }: EvmHost,
  created: ReadonlySet<string>,
): void {
  if (execResult.exceptionError) return;
  for (const address of created) state.markCreated(hexToBytes(address));
  for (const address of execResult.selfdestruct?.keys() ?? []) {
    if (created.has(address) || !hasFork(block.fork, 'cancun')) state.markDestroyed(hexToBytes(address));
  }
}

function resultOf({ execResult, createdAddress }: EVMResult): EvmExecutionResult {
  const error = gethErrorOf(execResult);
  return {
    error,
    returnData: execResult.returnValue,
    gasUsed: execResult.executionGasUsed,
    gasRefund: error === undefined ? (execResult.gasRefund ?? 0n) : 0n,
    logs: (execResult.logs ?? []).map(([address, topics, data]) => ({ address, topics, data })),
    createdAddress: createdAddress?.bytes,
  };
}
