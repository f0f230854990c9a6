import { bytesToHex, sha256 } from '../primitives/index.ts';
import type { BlockTime } from '../types/index.ts';
import { formatBlockTime } from './blockTime.ts';
import type { ConsensusParams } from './consensusParams.ts';
import { consensusAddress, type Validator } from './validatorSet.ts';

export interface GenesisValidator extends Validator {
  readonly name: string;
}

/** What the first block of a chain rests on. `appState` is the application's, as parsed JSON. */
export interface GenesisDoc {
  readonly time: BlockTime;
  /** 1 to 50 characters. */
  readonly chainId: string;
  /** The height of the first block, 1 or more. */
  readonly initialHeight: number;
  readonly consensusParams: ConsensusParams;
  readonly validators: readonly GenesisValidator[];
  readonly appHash: Uint8Array;
  readonly appState: unknown;
}

/** How CometBFT names an ed25519 public key in JSON. */
export const ED25519_KEY_TYPE = 'tendermint/PubKeyEd25519';

/** CometBFT's `genesis.json`: 64-bit integers are strings, keys base64, the app hash hex. */
export function formatGenesisDoc(doc: GenesisDoc): string {
  const { consensusParams: params } = doc;
  const json = {
    genesis_time: formatBlockTime(doc.time),
    chain_id: doc.chainId,
    initial_height: String(doc.initialHeight),
    consensus_params: {
      block: { max_bytes: String(params.block.maxBytes), max_gas: String(params.block.maxGas) },
      evidence: {
        max_age_num_blocks: String(params.evidence.maxAgeNumBlocks),
        max_age_duration: String(params.evidence.maxAgeDuration),
        max_bytes: String(params.evidence.maxBytes),
      },
      validator: { pub_key_types: params.validator.pubKeyTypes },
      version: { app: String(params.version.app) },
      abci: { vote_extensions_enable_height: String(params.abci.voteExtensionsEnableHeight) },
    },
    validators: doc.validators.map(({ publicKey, power, name }) => ({
      address: bytesToHex(consensusAddress(publicKey)).toUpperCase(),
      pub_key: { type: ED25519_KEY_TYPE, value: Buffer.from(publicKey).toString('base64') },
      power: String(power),
      name,
    })),
    app_hash: bytesToHex(doc.appHash).toUpperCase(),
    app_state: doc.appState,
  };
  return `${JSON.stringify(json, null, 2)}\n`;
}

/** The hash of block 0, which no consensus decided: SHA-256 of the genesis file (spec R-6). */
export function genesisHash(file: Uint8Array): Uint8Array {
  return sha256(file);
}
