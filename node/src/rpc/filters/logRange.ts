import { missingData } from '../blocks/floors.ts';
import type { BlockNumberOrTag } from '../codec/blockId.ts';
import type { LogCriteria } from '../codec/logQuery.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { RPC_CODE, RpcError, serverError } from '../rpcError.ts';

/** Inclusive. An open range has an end missing or a tag as its end (spec R-20). */
export interface LogRange {
  readonly from: number;
  readonly to: number;
  readonly isOpen: boolean;
}

/** Heights of a log query. Throws −32000 where it leaves what is held or spans too much (spec R-20). */
export function logRange(
  deps: Pick<RpcDeps, 'chain' | 'history' | 'limits'>,
  criteria: LogCriteria,
): LogRange {
  const latest = deps.chain.height;
  const to = heightAt(criteria.to, latest);
  const from =
    criteria.from === undefined && typeof criteria.to === 'number'
      ? Math.min(to, latest)
      : heightAt(criteria.from, latest);
  const isOpen = criteria.from === undefined || typeof criteria.to !== 'number';
  checkRange({ from, to, isOpen }, latest, deps);
  return { from: Math.max(from, deps.history.earliestReceiptHeight), to, isOpen };
}

/** Throws −32000 for numbers of which the first lies behind the second. */
export function requireForward(from: unknown, to: unknown): void {
  if (typeof from !== 'number' || typeof to !== 'number' || from <= to) return;
  throw serverError(`requested fromBlock ${from} is greater than toBlock ${to}`);
}

function heightAt(block: BlockNumberOrTag | undefined, latest: number): number {
  if (block === 'earliest') return 0;
  return typeof block === 'number' ? block : latest;
}

function checkRange(
  { from, to, isOpen }: LogRange,
  latest: number,
  { history, limits }: Pick<RpcDeps, 'history' | 'limits'>,
): void {
  const { earliestReceiptHeight: earliest } = history;
  requireForward(from, to);
  // Block 0 holds nothing: a history that begins at 1 is whole.
  if (from < earliest && earliest > 1) {
    throw new RpcError(
      RPC_CODE.server,
      `requested fromBlock ${from} is before earliest available block ${earliest}`,
      missingData(['receipts'], earliest),
    );
  }
  if (to > latest) throw serverError(`requested toBlock ${to} is after latest available block ${latest}`);
  const span = to - from + 1;
  if (!isOpen && span > limits.maxLogBlocks) {
    throw serverError(`block range too large (${span}), maximum allowed is ${limits.maxLogBlocks} blocks`);
  }
}
