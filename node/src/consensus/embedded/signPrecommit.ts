import { isCodedError } from '@chain/platform';
import {
  BLOCK_ID_FLAG,
  blockTimeFromMillis,
  blockTimeToMillis,
  type Commit,
  precommitSignBytes,
} from '../../comet/index.ts';
import type { Block } from '../../types/index.ts';
import type { VoteSigner } from '../consensusEngine.ts';
import { consensusErrors } from '../consensusErrors.ts';

const PRECOMMIT_STEP = 3;

/**
 * Decides a block: the only validator's precommit is the whole commit. Was another block of this height signed
 * before a crash, the vote goes to the next round; a block signed before gets the same signature again, because
 * the vote's time follows from the block. Throws CONSENSUS_KEY_AHEAD.
 */
export async function signPrecommit(block: Block, signer: VoteSigner): Promise<Commit> {
  const { height } = block.header;
  try {
    return await signAt(block, 0, signer);
  } catch (refusal) {
    const lastRound = lastSignedRound(refusal, height);
    try {
      return await signAt(block, lastRound, signer);
    } catch (again) {
      return signAt(block, lastSignedRound(again, height) + 1, signer);
    }
  }
}

async function signAt(block: Block, round: number, signer: VoteSigner): Promise<Commit> {
  const { chainId, height, time: blockTime } = block.header;
  // CometBFT's earliest vote time: a millisecond behind the block.
  const time = blockTimeFromMillis(blockTimeToMillis(blockTime) + 1);
  const bytes = precommitSignBytes(chainId, { height, round, blockId: block.id, time });
  const signature = await signer.sign({ height, round, step: PRECOMMIT_STEP }, bytes);
  const vote = { flag: BLOCK_ID_FLAG.commit, validatorAddress: signer.address, time, signature };
  return { height, round, blockId: block.id, signatures: [vote] };
}

function lastSignedRound(refusal: unknown, height: number): number {
  if (!isCodedError(refusal, 'KEYS_DOUBLE_SIGN')) throw refusal;
  const { lastHeight, lastRound } = refusal.fields;
  if (lastHeight !== height) throw consensusErrors.keyIsAhead(height, Number(lastHeight), refusal);
  return Number(lastRound);
}
