import {
  type EvmBlock,
  type EvmFork,
  type EvmState,
  isStandardPrecompile,
  type MovedStandard,
  type Precompile,
  type PrecompileTable,
} from '../../evm/index.ts';
import { bytesToHex, toHexData } from '../../primitives/index.ts';
import { EVM_PREFIX, STORE } from '../../state/schema/index.ts';
import type { StateReads } from '../../state/view/index.ts';
import type { AccountOverride, BlockOverrides } from './callRequest.ts';
import { overrideRefused } from './simulationError.ts';

/** Hides the storage of accounts whose `state` is overridden: a point-read view cannot delete what it cannot list. */
export function withoutReplacedStorage(state: StateReads, overrides: readonly AccountOverride[]): StateReads {
  if (overrides.length === 0) return state;
  const replaced = new Set(overrides.filter((o) => o.state).map((o) => bytesToHex(o.address)));
  if (replaced.size === 0) return state;
  return {
    // The EVM's store is never listed.
    iterate: (store, range) => state.iterate(store, range),
    get: (store, key) => {
      const isReplaced =
        store === STORE.evm && key[0] === EVM_PREFIX.storage && replaced.has(bytesToHex(key.subarray(1, 21)));
      return isReplaced ? undefined : state.get(store, key);
    },
  };
}

/** Writes the overrides, on a state over `withoutReplacedStorage`. Throws EXECUTION_OVERRIDE_REFUSED. */
export function applyStateOverrides(state: EvmState, overrides: readonly AccountOverride[]): void {
  for (const override of overrides) applyAccount(state, override);
}

function applyAccount(state: EvmState, override: AccountOverride): void {
  const { address, balance, nonce, code } = override;
  if (override.state && override.stateDiff) {
    throw overrideRefused(`account ${toHexData(address)} has both 'state' and 'stateDiff'`);
  }
  if (balance !== undefined) state.setBalance(address, balance);
  if (nonce !== undefined) state.setNonce(address, nonce);
  if (code !== undefined) state.setCode(address, code);
  for (const { slot, value } of override.state ?? override.stateDiff ?? []) {
    state.setStorage(address, slot, value);
  }
}

/** The precompiles of a simulation: an overridden one is gone, or moved. Throws EXECUTION_OVERRIDE_REFUSED. */
export function overridePrecompiles(
  table: PrecompileTable,
  overrides: readonly AccountOverride[],
  fork: EvmFork,
): PrecompileTable {
  if (overrides.length === 0) return table;
  const result = new Map(table);
  for (const { address, movePrecompileTo } of overrides) {
    const key = bytesToHex(address);
    const standard = isStandardPrecompile(address, fork) ? { standard: key } : undefined;
    const entry = table.get(key) ?? standard;
    if (entry) result.delete(key);
    if (standard) result.set(key, { standard: undefined });
    if (movePrecompileTo) move(result, { address, entry, target: movePrecompileTo, overrides });
  }
  return result;
}

interface Move {
  readonly address: Uint8Array;
  readonly entry: Precompile | MovedStandard | undefined;
  readonly target: Uint8Array;
  readonly overrides: readonly AccountOverride[];
}

function move(
  table: Map<string, Precompile | MovedStandard>,
  { address, entry, target, overrides }: Move,
): void {
  if (!entry) throw overrideRefused(`account ${toHexData(address)} is not a precompile`, 'noPrecompile');
  const key = bytesToHex(target);
  if (key === bytesToHex(address)) {
    throw overrideRefused(`account ${toHexData(address)} is moved to itself`, 'moveToItself');
  }
  if (overrides.some((o) => bytesToHex(o.address) === key)) {
    throw overrideRefused(`account ${toHexData(target)} is already overridden`);
  }
  if (table.has(key)) {
    throw overrideRefused(
      `account ${toHexData(target)} has already been overridden by a precompile`,
      'moveTwice',
    );
  }
  const moved = 'run' in entry ? { ...entry, address: target } : entry;
  table.set(key, moved);
}

export function overrideBlock(block: EvmBlock, overrides: BlockOverrides): EvmBlock {
  return {
    ...block,
    number: overrides.number ?? block.number,
    timestamp: overrides.time ?? block.timestamp,
    gasLimit: overrides.gasLimit ?? block.gasLimit,
    coinbase: overrides.feeRecipient ?? block.coinbase,
    prevRandao: overrides.prevRandao ?? block.prevRandao,
    baseFee: overrides.baseFee ?? block.baseFee,
    blobBaseFee: overrides.blobBaseFee ?? block.blobBaseFee,
  };
}
