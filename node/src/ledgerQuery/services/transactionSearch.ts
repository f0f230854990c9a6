import {
  type GetTxsEventRequest,
  type GetTxsEventResponse,
  OrderBy,
} from 'cosmjs-types/cosmos/tx/v1beta1/service';
import { Tx } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { parseQuery, searchTransactions } from '../../eventQuery/index.ts';
import { queryErrors } from '../queryErrors.ts';
import type { QueryScope } from '../queryMethod.ts';
import { txResponse } from './txResponse.ts';

const PAGE_SIZE = 100;

/** A page of the transactions whose events meet all conditions, as `tx_search` of the consensus RPC finds them. */
export async function searchByEvents(
  request: GetTxsEventRequest,
  { deps: { history, chain } }: QueryScope,
): Promise<GetTxsEventResponse> {
  const places = await searchTransactions(parseQuery(queryOf(request)), history, chain.height);
  if (request.orderBy === OrderBy.ORDER_BY_DESC) places.reverse();
  const limit = Math.min(Number(request.limit) || PAGE_SIZE, PAGE_SIZE);
  const page = Number(request.page) || 1;
  const start = (page - 1) * limit;
  if (start > 0 && start >= places.length) {
    const pages = Math.max(1, Math.ceil(places.length / limit));
    throw queryErrors.invalid(`page should be within [1, ${pages}] range, given ${page}`);
  }
  const items = places.slice(start, start + limit).flatMap(({ height, index }) => {
    const record = history.blockByHeight(height);
    return record ? [{ record, index }] : [];
  });
  return {
    txs: items.map(({ record, index }) => Tx.decode(record.block.txs[index]!)),
    txResponses: items.map(txResponse),
    total: BigInt(places.length),
  };
}

const MAX_QUERY_LENGTH = 512;

function queryOf({ query, events }: GetTxsEventRequest & { readonly query?: string }): string {
  const text = query || events.join(' AND ');
  if (text === '') throw queryErrors.invalid('query cannot be empty');
  if (text.length > MAX_QUERY_LENGTH) {
    throw queryErrors.invalid(
      `maximum query length exceeded: ${text.length} of ${MAX_QUERY_LENGTH} characters`,
    );
  }
  return text;
}
