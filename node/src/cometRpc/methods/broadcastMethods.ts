import type { FoundLedgerTransaction } from '../../history/index.ts';
import { sha256 } from '../../primitives/index.ts';
import type { TransactionResult } from '../../types/index.ts';
import type { CometDeps } from '../cometDeps.ts';
import { type Caller, type CometMethod, cometMethod } from '../cometMethod.ts';
import { NO_RESULT, resultJson } from '../json/resultJson.ts';
import { base64, type Json, upperHex } from '../json/values.ts';
import { bytes, optionalInteger } from '../params/paramKinds.ts';
import { rpcFailure } from '../rpcFailure.ts';
import { pageSize } from '../search/pages.ts';
import { checkResult } from './checkTx.ts';

/** `data` of CheckTx in hex, unlike everywhere else. */
function broadcastJson(tx: Uint8Array, { code, data, log, codespace }: TransactionResult): Json {
  return { code, data: upperHex(data), log, codespace, hash: upperHex(sha256(tx)) };
}

/** Waits for the block with the transaction. Rejects after the time limit, and when the caller is gone. */
function inclusionOf(hash: Uint8Array, { chain, history, limits }: CometDeps, caller: Caller) {
  const { promise, resolve, reject } = Promise.withResolvers<FoundLedgerTransaction>();
  const stop = chain.onBlock(({ block }) => {
    const found = history.ledgerTransactionByHash(hash);
    if (found?.record.block.header.height === block.header.height) resolve(found);
  });
  const timer = setTimeout(
    () => reject(rpcFailure('timed out waiting for tx to be included in a block')),
    limits.broadcastCommitTimeoutMs,
  );
  caller.onGone(() => reject(rpcFailure('the client is gone')));
  const cancel = (): void => {
    stop();
    clearTimeout(timer);
  };
  // Nobody may wait for it any more when it fails.
  promise.catch(() => undefined);
  return { promise, cancel };
}

async function broadcastCommit(tx: Uint8Array, deps: CometDeps, caller: Caller): Promise<Json> {
  const hash = sha256(tx);
  const inclusion = inclusionOf(hash, deps, caller);
  try {
    const checked = await checkResult(() => deps.mempool.add(tx));
    if (checked.code !== 0) {
      const [check, result] = [resultJson(checked), resultJson(NO_RESULT)];
      return { check_tx: check, tx_result: result, hash: upperHex(hash), height: '0' };
    }
    const { record, index } = await inclusion.promise;
    return {
      check_tx: resultJson(checked),
      tx_result: resultJson(record.results[index]!),
      hash: upperHex(hash),
      height: String(record.block.header.height),
    };
  } finally {
    inclusion.cancel();
  }
}

const NO_LIMITS = { maxBytes: -1, maxGas: -1n };

export const broadcastMethods: readonly CometMethod[] = [
  cometMethod({
    name: 'broadcast_tx_sync',
    summary: 'Takes a transaction into the mempool and says what CheckTx thinks of it',
    params: { tx: bytes },
    handle: async ({ tx }, { deps }) => broadcastJson(tx, await checkResult(() => deps.mempool.add(tx))),
  }),
  cometMethod({
    name: 'broadcast_tx_async',
    summary: 'Takes a transaction into the mempool without saying what CheckTx thinks of it',
    params: { tx: bytes },
    handle: async ({ tx }, { deps }) => {
      await checkResult(() => deps.mempool.add(tx));
      return broadcastJson(tx, NO_RESULT);
    },
  }),
  cometMethod({
    name: 'broadcast_tx_commit',
    summary: 'Takes a transaction into the mempool and waits for its block',
    params: { tx: bytes },
    handle: ({ tx }, { deps, caller }) => broadcastCommit(tx, deps, caller),
  }),
  cometMethod({
    name: 'check_tx',
    summary: 'What CheckTx thinks of a transaction; the mempool does not take it in',
    params: { tx: bytes },
    handle: async ({ tx }, { deps }) => resultJson(await checkResult(() => deps.checkTransaction(tx))),
  }),
  cometMethod({
    name: 'unconfirmed_txs',
    summary: 'Transactions of the mempool in the order of the next block; 30 unless told, at most 100',
    params: { limit: optionalInteger },
    handle: ({ limit }, { deps: { mempool } }) => {
      const listed = mempool.reap({ ...NO_LIMITS, maxCount: pageSize(limit) });
      return {
        n_txs: String(listed.length),
        total: String(mempool.size),
        total_bytes: String(mempool.sizeBytes),
        txs: listed.map(base64),
      };
    },
  }),
  cometMethod({
    name: 'num_unconfirmed_txs',
    summary: 'How many transactions the mempool has, and their bytes',
    params: {},
    handle: (_params, { deps: { mempool } }) => ({
      n_txs: String(mempool.size),
      total: String(mempool.size),
      total_bytes: String(mempool.sizeBytes),
      txs: null,
    }),
  }),
];

/** Served with `unsafe = true` only. */
export const unsafeMethods: readonly CometMethod[] = [
  cometMethod({
    name: 'unsafe_flush_mempool',
    summary: 'Drops every transaction of the mempool',
    params: {},
    handle: (_params, { deps: { mempool } }) => {
      mempool.clear();
      return {};
    },
  }),
];
