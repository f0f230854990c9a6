import type { ConsensusParams } from '../../comet/index.ts';
import type { Json } from './values.ts';

export function consensusParamsJson({ block, evidence, validator, version, abci }: ConsensusParams): Json {
  return {
    block: { max_bytes: String(block.maxBytes), max_gas: String(block.maxGas) },
    evidence: {
      max_age_num_blocks: String(evidence.maxAgeNumBlocks),
      max_age_duration: String(evidence.maxAgeDuration),
      max_bytes: String(evidence.maxBytes),
    },
    validator: { pub_key_types: validator.pubKeyTypes },
    version: { app: String(version.app) },
    abci: { vote_extensions_enable_height: String(abci.voteExtensionsEnableHeight) },
  };
}
