import type { TracedState } from '../evm/index.ts';
import {
  bytesToHex,
  equalBytes,
  hexToBytes,
  isZero,
  keccak256,
  toHexData,
  toHexQuantity,
} from '../primitives/index.ts';
import { sortedJson } from './sortedJson.ts';

export interface PrestateOptions {
  readonly diffMode: boolean;
  readonly disableCode: boolean;
  readonly disableStorage: boolean;
  readonly includeEmpty: boolean;
}

interface Readers {
  readonly state: TracedState;
  readonly options: PrestateOptions;
}

/** An account at one moment; `undefined` members are not shown. */
export class SeenAccount {
  readonly address: Uint8Array;
  readonly isEmpty: boolean;
  balance: bigint | undefined;
  nonce: bigint | undefined;
  code: Uint8Array | undefined;
  codeHash: Uint8Array | undefined;
  /** By slot, in hex. */
  readonly storage = new Map<string, Uint8Array>();

  constructor(address: Uint8Array, { state, options }: Readers) {
    this.address = address;
    const code = state.code(address);
    this.balance = state.balance(address);
    this.nonce = state.nonce(address);
    this.code = options.disableCode ? undefined : code;
    this.codeHash = hashOf(code);
    this.isEmpty = this.balance === 0n && this.nonce === 0n && code.length === 0;
  }

  lookUpStorage(slot: Uint8Array, state: TracedState): void {
    const key = bytesToHex(slot);
    if (!this.storage.has(key)) this.storage.set(key, state.storage(this.address, slot));
  }
}

/** An account without code has no code hash here, so that none and an empty one are the same. */
function hashOf(code: Uint8Array): Uint8Array | undefined {
  return code.length > 0 ? keccak256(code) : undefined;
}

/** Leaves in `seen` what changed, and gives how it is now. Accounts that were destroyed have no after. */
export function differenceOf(
  seen: Map<string, SeenAccount>,
  destroyed: ReadonlySet<string>,
  readers: Readers,
): Map<string, SeenAccount> {
  const after = new Map<string, SeenAccount>();
  for (const [key, before] of seen) {
    if (destroyed.has(key)) continue;
    const now = changedIn(before, readers);
    if (now) after.set(key, now);
    else seen.delete(key);
  }
  return after;
}

function changedIn(before: SeenAccount, readers: Readers): SeenAccount | undefined {
  const { state } = readers;
  const now = new SeenAccount(before.address, readers);
  let isChanged = false;
  const keepIfChanged = (name: 'balance' | 'nonce' | 'code' | 'codeHash'): void => {
    if (isSame(now[name], before[name])) now[name] = undefined;
    else isChanged = true;
  };
  // Code that is gone shows as the zero hash.
  if (before.codeHash) now.codeHash ??= new Uint8Array(32);
  for (const name of ['balance', 'nonce', 'codeHash', 'code'] as const) keepIfChanged(name);
  for (const [slot, value] of before.storage) {
    const current = state.storage(before.address, hexToBytes(slot));
    const isUnchanged = equalBytes(value, current);
    if (isZero(value) || isUnchanged) before.storage.delete(slot);
    if (isUnchanged) continue;
    isChanged = true;
    if (!isZero(current)) now.storage.set(slot, current);
  }
  return isChanged ? now : undefined;
}

function isSame(a: bigint | Uint8Array | undefined, b: bigint | Uint8Array | undefined): boolean {
  return a instanceof Uint8Array && b instanceof Uint8Array ? equalBytes(a, b) : a === b;
}

export function prestateJson(accounts: ReadonlyMap<string, SeenAccount>): string {
  const named = new Map([...accounts].map(([address, account]) => [`0x${address}`, account]));
  return sortedJson(named, accountJson);
}

function accountJson({ balance, code, codeHash, nonce, storage }: SeenAccount): string {
  const slots = new Map([...storage].map(([slot, value]) => [`0x${slot}`, value]));
  const members = [
    balance !== undefined && `"balance":"${toHexQuantity(balance)}"`,
    code && code.length > 0 && `"code":"${toHexData(code)}"`,
    codeHash && `"codeHash":"${toHexData(codeHash)}"`,
    nonce && `"nonce":${nonce}`,
    slots.size > 0 && `"storage":${sortedJson(slots, (value) => `"${toHexData(value)}"`)}`,
  ];
  return `{${members.filter((member) => typeof member === 'string').join(',')}}`;
}
