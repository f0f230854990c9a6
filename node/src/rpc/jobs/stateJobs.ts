import { readEvmAddress, touchedAccount } from '../../ledger/index.ts';
import { toHexData } from '../../primitives/index.ts';
import { ACCOUNT_KEY_BYTES, evmKeyKind, STORE } from '../../state/schema/index.ts';
import { type StateReads, withChanges } from '../../state/view/index.ts';
import { jobKind, jsonBytes } from './jobKind.ts';
import type { BaseParams } from './traceJobs.ts';

interface Transactions extends BaseParams {
  readonly txs: readonly Uint8Array[];
}

/** The accounts (20 bytes) whose balance, nonce, code or storage the transactions of a block wrote. */
export const modifiedAccountsJob = jobKind({
  group: 'trace',
  heavy: true,
  run: async ({ base, txs }: Transactions, scope): Promise<Uint8Array[]> => {
    const state = scope.stateOf(base);
    const input = { context: base.context, txs, interrupt: scope.interrupt };
    const { stores } = await scope.execution.replayTransactions(input, state);
    const accounts = new Map<string, Uint8Array>();
    for (const { store, changes } of stores) {
      for (const { key } of changes) {
        const account = accountOf(store, key, state);
        if (account) accounts.set(toHexData(account), account);
      }
    }
    return [...accounts.values()];
  },
});

/** Of a ledger account, its EVM address; its own 20 bytes when it has none. */
function accountOf(store: string, key: Uint8Array, state: StateReads): Uint8Array | undefined {
  if (store === STORE.evm) {
    return evmKeyKind(key) === 'other' ? undefined : key.slice(1, ACCOUNT_KEY_BYTES);
  }
  const owner = touchedAccount(store, key);
  if (!owner) return undefined;
  return readEvmAddress(state, owner) ?? (owner.length === 20 ? owner.slice() : undefined);
}

/** Every row that the last of `txs` read of the state before it: store, then key and value in hex, as JSON. */
export const stateAccessJob = jobKind({
  group: 'trace',
  heavy: true,
  run: async ({ base, txs }: Transactions, scope) => {
    const seen = new Map<string, Rows>();
    const state = scope.stateOf(base);
    const before = txs.slice(0, -1);
    const { context } = base;
    const replay = (list: readonly Uint8Array[], on: StateReads) =>
      scope.execution.replayTransactions({ context, txs: list, interrupt: scope.interrupt }, on);
    const parent = before.length === 0 ? state : withChanges(state, (await replay(before, state)).stores);
    await replay(txs.slice(-1), recording(parent, seen));
    const stores = [...seen].map(([store, rows]) => [store, Object.fromEntries(rows)]);
    return jsonBytes(JSON.stringify(Object.fromEntries(stores)));
  },
});

type Rows = Map<string, string | null>;

/** `state`, noting every row that is read of it. */
function recording(state: StateReads, seen: Map<string, Rows>): StateReads {
  const note = (store: string, key: Uint8Array, value: Uint8Array | undefined): void => {
    const rows = seen.get(store) ?? new Map<string, string | null>();
    seen.set(store, rows);
    rows.set(toHexData(key), value ? toHexData(value) : null);
  };
  return {
    get: (store, key) => {
      const value = state.get(store, key);
      note(store, key, value);
      return value;
    },
    *iterate(store, range) {
      for (const [key, value] of state.iterate(store, range)) {
        note(store, key, value);
        yield [key, value];
      }
    },
  };
}
