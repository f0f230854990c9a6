import type { Params, ValidatorSigningInfo } from 'cosmjs-types/cosmos/slashing/v1beta1/slashing';
import { BECH32_PREFIX, toBech32 } from '../../primitives/index.ts';
import type { CommitVote } from '../../types/index.ts';
import type { LedgerEffects } from '../bank/transferCoins.ts';
import { slash } from '../staking/slash.ts';
import { readValidatorByConsensus } from '../staking/stakingRows.ts';
import { later } from '../staking/timeQueue.ts';
import { jail, type StatusBlock } from '../staking/validatorStatus.ts';
import { clearMissed, readMissed, writeMissed } from './missedBlocks.ts';
import { writeSigningInfo } from './signingInfo.ts';
import { fractionOf, mayMiss } from './slashingParams.ts';
import { readSigningInfo, readSlashingParams } from './slashingRows.ts';

/** Blocks between the choice of a set and its first vote, and one more for the vote to be told of. */
const VOTE_DELAY = 2;

/**
 * Books who signed the block before; who missed too many of its window is slashed and jailed. Nothing on a chain
 * without staking.
 */
export function watchVotes(effects: LedgerEffects, votes: readonly CommitVote[], block: StatusBlock): void {
  const params = readSlashingParams(effects.overlay);
  if (!params) return;
  for (const vote of votes) watchVote(effects, vote, { params, block });
}

interface Watch {
  readonly params: Params;
  readonly block: StatusBlock;
}

function watchVote(effects: LedgerEffects, vote: CommitVote, { params, block }: Watch): void {
  const { overlay, events } = effects;
  const { address, signed } = vote;
  const validator = readValidatorByConsensus(overlay, address);
  const info = readSigningInfo(overlay, address);
  if (!validator || validator.jailed || !info) return;
  const window = params.signedBlocksWindow;
  const index = Number(info.indexOffset % window);
  const missedBefore = readMissed(overlay, address, index);
  if (missedBefore === signed) writeMissed(overlay, address, index, !signed);
  const change = missedBefore === signed ? (signed ? -1n : 1n) : 0n;
  const missedBlocksCounter = info.missedBlocksCounter + change;
  const counted = { ...info, indexOffset: info.indexOffset + 1n, missedBlocksCounter };
  if (!signed) {
    events.add('liveness', {
      address: toBech32(address, BECH32_PREFIX.consensus),
      missed_blocks: String(missedBlocksCounter),
      height: String(block.height),
    });
  }
  const isPastWindow = BigInt(block.height) > info.startHeight + window;
  const isDown = isPastWindow && missedBlocksCounter > mayMiss(params);
  const next = isDown ? punishAbsence(effects, vote, { params, block, info: counted }) : counted;
  writeSigningInfo(overlay, address, next);
}

/** The window begins anew, or the validator would be punished again as soon as it is back. */
function punishAbsence(
  effects: LedgerEffects,
  { address, power }: CommitVote,
  { params, block, info }: Watch & { readonly info: ValidatorSigningInfo },
): ValidatorSigningInfo {
  const { overlay, events } = effects;
  const fraction = fractionOf(params.slashFractionDowntime);
  const infractionHeight = block.height - VOTE_DELAY;
  const burned = slash(effects, address, { infractionHeight, power, fraction, block });
  const name = toBech32(address, BECH32_PREFIX.consensus);
  events.add('slash', {
    address: name,
    power: String(power),
    reason: 'missing_signature',
    jailed: name,
    burned_coins: String(burned),
  });
  jail(effects, readValidatorByConsensus(overlay, address)!);
  clearMissed(overlay, address, Number(params.signedBlocksWindow));
  const jailedUntil = later(block.time, params.downtimeJailDuration);
  return { ...info, jailedUntil, missedBlocksCounter: 0n, indexOffset: 0n };
}
