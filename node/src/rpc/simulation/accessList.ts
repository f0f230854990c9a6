import {
  type AccessListEntry,
  CHAIN_PRECOMPILES,
  type EvmFork,
  isStandardPrecompile,
} from '../../evm/index.ts';
import type { CallOutcome, CallRequest } from '../../execution/index.ts';
import { FEE_COLLECTOR_EVM_ADDRESS } from '../../ledger/index.ts';
import { bytesToHex } from '../../primitives/index.ts';

/** Lists change gas and gas may change lists; geth iterates as well, and most calls settle in two rounds. */
const MAX_ROUNDS = 8;

/** What `createAccessList` found, and the call's outcome with that list. */
export interface FoundAccessList {
  readonly accessList: readonly AccessListEntry[];
  readonly outcome: CallOutcome;
}

/** Runs a call until the access list that it was given is the one that it touches. */
export async function findAccessList(
  request: CallRequest,
  { fork, run }: { fork: EvmFork; run: (request: CallRequest) => Promise<CallOutcome> },
): Promise<FoundAccessList> {
  let accessList: readonly AccessListEntry[] = request.accessList ?? [];
  let outcome = await run({ ...request, accessList });
  for (let round = 1; round < MAX_ROUNDS; round++) {
    const touched = listOf(outcome, request, fork);
    if (sizeOf(touched) === sizeOf(accessList)) break;
    accessList = touched;
    outcome = await run({ ...request, accessList });
  }
  return { accessList, outcome };
}

/** Addresses that are warm anyway stay out, unless some of their slots were touched. */
function listOf(
  { touched, createdAddress }: CallOutcome,
  { from, to }: CallRequest,
  fork: EvmFork,
): AccessListEntry[] {
  const warm = new Set(
    [from ?? new Uint8Array(20), to ?? createdAddress, FEE_COLLECTOR_EVM_ADDRESS]
      .filter((address) => address instanceof Uint8Array)
      .map(bytesToHex),
  );
  const isPrecompile = (address: Uint8Array) =>
    isStandardPrecompile(address, fork) || CHAIN_PRECOMPILES.has(bytesToHex(address));
  const entries = new Map<string, { address: Uint8Array; storageKeys: Uint8Array[] }>();
  for (const address of touched?.addresses ?? []) {
    const key = bytesToHex(address);
    if (!warm.has(key) && !isPrecompile(address)) entries.set(key, { address, storageKeys: [] });
  }
  for (const { address, slot } of touched?.slots ?? []) {
    const key = bytesToHex(address);
    const entry = entries.get(key) ?? { address, storageKeys: [] };
    entry.storageKeys.push(slot);
    entries.set(key, entry);
  }
  return [...entries.values()];
}

function sizeOf(list: readonly AccessListEntry[]): number {
  return list.reduce((sum, { storageKeys }) => sum + 1 + storageKeys.length, 0);
}
