import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type GetTxsEventRequest,
  type GetTxsEventResponse,
  OrderBy,
} from 'cosmjs-types/cosmos/tx/v1beta1/service';
import { Tx } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import type { FoundLedgerTransaction } from '../../history/index.ts';
import { sha256 } from '../../primitives/index.ts';
import type { BlockRecord, LedgerEvent } from '../../types/index.ts';
import { queryErrors } from '../queryErrors.ts';
import type { QueryScope } from '../queryMethod.ts';
import { conditionHolds, type EventCondition, parseConditions } from './eventConditions.ts';
import { hashText, txResponse } from './txResponse.ts';

const PAGE_SIZE = 100;
/** Blocks that are read in one turn of the event loop. */
const BLOCKS_A_TURN = 64;

/**
 * Transactions whose events meet all conditions, a page of them. Blocks are read one by one: `tx.height` narrows
 * the search, and `tx.hash` makes it one look.
 */
export async function searchTransactions(
  request: GetTxsEventRequest,
  scope: QueryScope,
): Promise<GetTxsEventResponse> {
  const conditions = parseConditions(queryOf(request));
  const found = await findAll(scope, conditions);
  if (request.orderBy === OrderBy.ORDER_BY_DESC) found.reverse();
  const limit = Math.min(Number(request.limit) || PAGE_SIZE, PAGE_SIZE);
  const page = Number(request.page) || 1;
  const start = (page - 1) * limit;
  if (start > 0 && start >= found.length) {
    throw queryErrors.invalid(
      `page should be within [1, ${Math.max(1, Math.ceil(found.length / limit))}] range, given ${page}`,
    );
  }
  const items = found.slice(start, start + limit);
  return {
    txs: items.map(({ record, index }) => Tx.decode(record.block.txs[index]!)),
    txResponses: items.map(txResponse),
    total: BigInt(found.length),
  };
}

function queryOf({ query, events }: GetTxsEventRequest & { readonly query?: string }): string {
  const text = query || events.join(' AND ');
  if (text === '') throw queryErrors.invalid('query cannot be empty');
  return text;
}

async function findAll(
  scope: QueryScope,
  conditions: readonly EventCondition[],
): Promise<FoundLedgerTransaction[]> {
  const { history, chain } = scope.deps;
  const hash = conditions.find(({ tag, operator }) => tag === 'tx.hash' && operator === '=')?.value;
  if (hash !== undefined) {
    const found = /^[0-9a-fA-F]{64}$/.test(hash)
      ? history.ledgerTransactionByHash(Buffer.from(hash, 'hex'))
      : undefined;
    return found && matches(found, conditions) ? [found] : [];
  }
  const { first, last } = heightsOf(conditions, history.earliestHeight, chain.height);
  const all: FoundLedgerTransaction[] = [];
  for (let height = first; height <= last; height++) {
    if ((height - first) % BLOCKS_A_TURN === BLOCKS_A_TURN - 1) await nextTurn();
    scope.checkTime();
    all.push(...matchesIn(history.blockByHeight(height), conditions));
  }
  return all;
}

function matchesIn(
  record: BlockRecord | undefined,
  conditions: readonly EventCondition[],
): FoundLedgerTransaction[] {
  if (!record) return [];
  return record.block.txs
    .map((_, index) => ({ record, index }))
    .filter((found) => matches(found, conditions));
}

interface Heights {
  readonly first: number;
  readonly last: number;
}

/** The heights that conditions on `tx.height` leave. */
function heightsOf(conditions: readonly EventCondition[], first: number, last: number): Heights {
  const bounds = conditions.filter(({ tag, value }) => tag === 'tx.height' && /^\d{1,15}$/.test(value));
  return bounds.reduce(
    (heights, { operator, value }) => {
      const allowed = allowedHeights(operator, Number(value));
      return {
        first: Math.max(heights.first, allowed.first),
        last: Math.min(heights.last, allowed.last),
      };
    },
    { first, last },
  );
}

function allowedHeights(operator: EventCondition['operator'], height: number): Heights {
  const [least, most] = [0, Number.MAX_SAFE_INTEGER];
  if (operator === '=') return { first: height, last: height };
  if (operator === '>') return { first: height + 1, last: most };
  if (operator === '>=') return { first: height, last: most };
  if (operator === '<') return { first: least, last: height - 1 };
  return operator === '<=' ? { first: least, last: height } : { first: least, last: most };
}

function matches(found: FoundLedgerTransaction, conditions: readonly EventCondition[]): boolean {
  const { record, index } = found;
  return conditions.every((condition) => {
    if (condition.tag === 'tx.height') return conditionHolds(condition, [String(record.block.header.height)]);
    if (condition.tag === 'tx.hash') {
      return conditionHolds({ ...condition, value: condition.value.toUpperCase() }, [
        hashText(sha256(record.block.txs[index]!)),
      ]);
    }
    return conditionHolds(condition, valuesOf(record.results[index]!.events, condition.tag));
  });
}

function valuesOf(events: readonly LedgerEvent[], tag: string): string[] {
  const point = tag.lastIndexOf('.');
  const [type, key] = [tag.slice(0, point), tag.slice(point + 1)];
  return events
    .filter((event) => event.type === type)
    .flatMap(({ attributes }) => attributes.filter((it) => it.key === key).map(({ value }) => value));
}
