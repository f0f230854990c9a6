import type {
  QueryHistoricalInfoRequest,
  QueryHistoricalInfoResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query';
import type { Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import { headerToWire } from '../../comet/index.ts';
import { bondedSetRows } from '../../ledger/index.ts';
import { queryErrors } from '../queryErrors.ts';
import type { QueryScope } from '../queryMethod.ts';

/**
 * The header of a block and the validators that were bonded when it began, most stake first, so far back as the
 * history is kept and `historical_entries` says.
 */
export async function historicalInfo(
  scope: QueryScope,
  { height }: QueryHistoricalInfoRequest,
): Promise<QueryHistoricalInfoResponse> {
  if (height < 0n) throw queryErrors.invalid('height cannot be negative');
  const valset = await bondedAt(scope, height);
  const record = valset && scope.deps.history.blockByHeight(Number(height));
  if (!record) throw queryErrors.notFound(`historical info for height ${height} not found`);
  return { hist: { header: headerToWire(record.block.header), valset } };
}

async function bondedAt(scope: QueryScope, height: bigint): Promise<Validator[] | undefined> {
  const rows = bondedSetRows(scope.state, height, scope.height);
  if (!rows) return undefined;
  for await (const [, value] of scope.iterate(rows.store, rows.range)) return rows.decode(value);
  // Nobody was bonded before genesis.
  return Number(height) === scope.options.genesis.initialHeight ? [] : undefined;
}
