import type {
  QueryHistoricalInfoRequest,
  QueryHistoricalInfoResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query';
import type { Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking';
import { headerToWire } from '../../comet/index.ts';
import { bondedRows, prefixRange, readStakingParams, readValidator } from '../../ledger/index.ts';
import { queryErrors } from '../queryErrors.ts';
import type { QueryScope } from '../queryMethod.ts';

/**
 * The header of a block and the validators that were bonded when it began, most stake first. It is read off the
 * history and the state before the block, so far back as both are kept and `historical_entries` says.
 */
export async function historicalInfo(
  scope: QueryScope,
  { height }: QueryHistoricalInfoRequest,
): Promise<QueryHistoricalInfoResponse> {
  const { chain, history, stateStore } = scope.deps;
  if (height < 0n) throw queryErrors.invalid('height cannot be negative');
  const at = Number(height);
  const kept = readStakingParams(scope.state)?.historicalEntries ?? 0;
  const record = at > scope.height - kept ? history.blockByHeight(at) : undefined;
  if (!record || at > scope.height)
    throw queryErrors.notFound(`historical info for height ${height} not found`);
  const header = headerToWire(record.block.header);
  // Nobody was bonded before genesis.
  if (at === scope.options.genesis.initialHeight) return { hist: { header, valset: [] } };
  const before = chain.stateAt(at - 1);
  const rows = bondedRows();
  const valset: Validator[] = [];
  for await (const [key, value] of stateStore.iterate(rows.store, at - 1, prefixRange(rows.prefix))) {
    scope.checkTime();
    valset.push(readValidator(before, rows.decode(key, value).operator)!);
  }
  const stake = ({ tokens }: Validator): bigint => BigInt(tokens);
  valset.sort((a, b) => (stake(a) === stake(b) ? 0 : stake(a) > stake(b) ? -1 : 1));
  return { hist: { header, valset } };
}
