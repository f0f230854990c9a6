import type { Block as SdkBlock } from 'cosmjs-types/cosmos/base/tendermint/v1beta1/types';
import type { Block as WireBlock } from 'cosmjs-types/tendermint/types/block';
import { type BlockID, Commit } from 'cosmjs-types/tendermint/types/types';
import { blockIdToWire, headerToWire } from '../../comet/index.ts';
import type { Block, BlockRecord } from '../../types/index.ts';
import { consensusText } from '../addresses.ts';
import { queryErrors } from '../queryErrors.ts';
import type { QueryScope } from '../queryMethod.ts';

/** The block of a height. Throws QUERY_INVALID_ARGUMENT above the newest and for pruned ones. */
export function findBlock(
  { deps: { chain, history } }: QueryScope,
  height: number,
): { readonly height: number; readonly record: BlockRecord } {
  if (height < 1) throw queryErrors.invalid('requested block height must be 1 or more');
  if (height > chain.height) {
    throw queryErrors.invalid(
      `requested block height is bigger then the chain length (asked for ${height}, latest height: ${chain.height})`,
    );
  }
  const record = history.blockByHeight(height);
  if (!record) {
    throw queryErrors.notFound(
      `block ${height} is not available, the lowest height is ${history.earliestHeight}`,
    );
  }
  return { height, record };
}

export const wireBlockId = (block: Block): BlockID => blockIdToWire(block.id);

/** `tendermint.types.Block` */
export function wireBlock(block: Block): WireBlock {
  return {
    header: headerToWire(block.header),
    data: { txs: [...block.txs] },
    evidence: { evidence: [] },
    lastCommit: Commit.decode(block.lastCommit),
  };
}

/** The same with the proposer in bech32. */
export function sdkBlock(block: Block): SdkBlock {
  const wire = wireBlock(block);
  return {
    ...wire,
    header: { ...wire.header, proposerAddress: consensusText(block.header.proposerAddress) },
  };
}
