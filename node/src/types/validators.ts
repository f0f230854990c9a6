import type { BlockTime } from './blockTime.ts';

/** A member of a validator set. As an update it tells the new power, and 0 removes the member. */
export interface ValidatorPower {
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly power: bigint;
}

/** A validator's part in the commit of the block before (ABCI `VoteInfo`). */
export interface CommitVote {
  /** Consensus address, 20 bytes. */
  readonly address: Uint8Array;
  /** Voting power in the set that was to sign. */
  readonly power: bigint;
  /** False when its vote is absent; a vote for nil counts as signed. */
  readonly signed: boolean;
}

/** Evidence that a validator broke the rules of consensus (ABCI `Misbehavior`). */
export interface Misbehavior {
  readonly kind: 'duplicateVote' | 'lightClientAttack';
  /** Consensus address, 20 bytes. */
  readonly address: Uint8Array;
  /** Voting power, height and time of the offence. */
  readonly power: bigint;
  readonly height: number;
  readonly time: BlockTime;
}
