import { readBalanceWei, readChainHolders, readEvmAddress } from '../../ledger/index.ts';
import { bytesOfMapKey, equalBytes, mapKeyOf } from '../../primitives/index.ts';
import { EVM_PREFIX, STORE } from '../../state/schema/index.ts';
import type { PointReads, RangeReads } from '../../state/view/index.ts';
import { BLOCK_HASHES_CONTRACT } from '../recentBlocks.ts';
import { readCode, readNonce } from '../stateReads.ts';

/** All that an account of the EVM has. Slots and words 32 bytes, by slot. */
export interface DumpedAccount {
  readonly address: Uint8Array;
  readonly nonce: bigint;
  readonly wei: bigint;
  readonly code: Uint8Array;
  readonly storage: readonly (readonly [slot: Uint8Array, word: Uint8Array])[];
}

type State = PointReads & RangeReads;

/** Every account that the EVM knows or that holds coins, by address; but for the ring of the newest block hashes. */
export function* dumpedAccounts(state: State): Iterable<DumpedAccount> {
  for (const address of addressesOf(state)) {
    if (equalBytes(address, BLOCK_HASHES_CONTRACT)) continue;
    yield {
      address,
      nonce: readNonce(state, address),
      wei: readBalanceWei(state, address),
      code: readCode(state, address),
      storage: [...storageOf(state, address)],
    };
  }
}

function addressesOf(state: State): Uint8Array[] {
  const found = new Set<string>();
  for (const prefix of [EVM_PREFIX.nonce, EVM_PREFIX.codeSize, EVM_PREFIX.storage]) {
    const range = { start: Uint8Array.of(prefix), end: Uint8Array.of(prefix + 1) };
    for (const [key] of state.iterate(STORE.evm, range)) found.add(mapKeyOf(key.subarray(1, 21)));
  }
  for (const holder of readChainHolders(state)) {
    found.add(mapKeyOf(readEvmAddress(state, holder) ?? holder));
  }
  return [...found].sort().map(bytesOfMapKey);
}

function* storageOf(state: State, address: Uint8Array): Iterable<readonly [Uint8Array, Uint8Array]> {
  const start = new Uint8Array(21);
  start[0] = EVM_PREFIX.storage;
  start.set(address, 1);
  const end = new Uint8Array(54);
  end.set(start);
  end.fill(0xff, 21);
  for (const [key, word] of state.iterate(STORE.evm, { start, end })) yield [key.slice(21), word];
}
