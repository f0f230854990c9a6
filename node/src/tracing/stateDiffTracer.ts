import type { TracedLook, TracedState, TracedTransaction } from '../evm/index.ts';
import { equalBytes, hexToBytes, isZero, toHexData, toHexQuantity } from '../primitives/index.ts';
import type { SeenAccount } from './prestateAccounts.ts';
import { PrestateTracer } from './prestateTracer.ts';
import { sortedJson } from './sortedJson.ts';
import type { Tracer } from './tracer.ts';

/** A value before and after, in Parity's form; whether it is new or gone is the account's. */
type Fate = 'born' | 'died' | 'lived';

const ZERO_WORD = toHexData(new Uint8Array(32));

/** What a transaction changed, account by account: Parity's `stateDiff`. */
export class StateDiffTracer implements Tracer {
  readonly #before = new PrestateTracer({ includeEmpty: true });
  #state: TracedState | undefined;
  #result = '{}';

  onStart(transaction: TracedTransaction): void {
    this.#state = transaction.state;
    this.#before.onStart(transaction);
  }

  onLook(look: TracedLook): void {
    this.#before.onLook(look);
  }

  /** The state is read here: what comes after the transaction is none of its. */
  onEnd(): void {
    this.#before.onEnd();
    const changes = new Map<string, string>();
    for (const [address, account] of this.#before.seen) {
      const change = changeOf(account, this.#state!);
      if (change !== undefined) changes.set(`0x${address}`, change);
    }
    this.#result = sortedJson(changes, (change) => change);
  }

  result(): string {
    return this.#result;
  }
}

function changeOf(before: SeenAccount, state: TracedState): string | undefined {
  const { address } = before;
  const [balance, nonce, code] = [state.balance(address), state.nonce(address), state.code(address)];
  const isGone = balance === 0n && nonce === 0n && code.length === 0;
  if (before.isEmpty && isGone) return undefined;
  const fate: Fate = before.isEmpty ? 'born' : isGone ? 'died' : 'lived';
  const storage = storageChanges(before, state, fate);
  const members = [
    memberOf(fate, toHexQuantity(before.balance!), toHexQuantity(balance)),
    memberOf(fate, toHexData(before.code!), toHexData(code)),
    memberOf(fate, toHexQuantity(before.nonce!), toHexQuantity(nonce)),
  ];
  if (storage.size === 0 && members.every((member) => member === '"="')) return undefined;
  const slots = sortedJson(storage, (change) => change);
  return `{"balance":${members[0]},"code":${members[1]},"nonce":${members[2]},"storage":${slots}}`;
}

function storageChanges(before: SeenAccount, state: TracedState, fate: Fate): Map<string, string> {
  const changes = new Map<string, string>();
  for (const [slot, value] of before.storage) {
    const now = fate === 'died' ? hexToBytes(ZERO_WORD) : state.storage(before.address, hexToBytes(slot));
    if (equalBytes(value, now) || (fate === 'born' && isZero(now))) continue;
    changes.set(`0x${slot}`, memberOf(fate, toHexData(value), toHexData(now)));
  }
  return changes;
}

function memberOf(fate: Fate, from: string, to: string): string {
  if (fate === 'born') return `{"+":"${to}"}`;
  if (fate === 'died') return `{"-":"${from}"}`;
  return from === to ? '"="' : `{"*":{"from":"${from}","to":"${to}"}}`;
}
