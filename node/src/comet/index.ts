/**
 * CometBFT v0.38's data rules, byte exact: hashes, sign bytes, commits, blocks, the genesis document.
 * Owns: their encodings. Does not own: keys, signing, storage, who decides a block.
 * Invariant: pure functions; the bytes are those that CometBFT itself computes.
 */
export { BLOCK_PROTOCOL, type BlockContent, blockSize, sealBlock } from './blockCodec.ts';
export {
  blockTimeFromMillis,
  blockTimeToMillis,
  compareBlockTimes,
  formatBlockTime,
  parseBlockTime,
} from './blockTime.ts';
export { consensusParamsHash, dataHash, EMPTY_HASH, resultsHash } from './bodyHashes.ts';
export {
  BLOCK_ID_FLAG,
  type Commit,
  type CommitSignature,
  commitHash,
  decodeCommit,
  EMPTY_COMMIT,
  encodeCommit,
  NO_BLOCK_ID,
} from './commit.ts';
export { type ConsensusParams, DEFAULT_CONSENSUS_PARAMS } from './consensusParams.ts';
export {
  ED25519_KEY_TYPE,
  formatGenesisDoc,
  type GenesisDoc,
  type GenesisValidator,
  genesisHash,
} from './genesisDoc.ts';
export { headerHash } from './headerHash.ts';
export { type NodeInfo, nodeInfo } from './nodeInfo.ts';
export { parseGenesisDoc } from './parseGenesisDoc.ts';
export { consensusAddress, sortValidators, type Validator, validatorSetHash } from './validatorSet.ts';
export { type Precommit, precommitSignBytes } from './voteSignBytes.ts';
export { blockIdToWire, headerToWire } from './wire.ts';
