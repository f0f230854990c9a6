import { CodedError, parseJson } from '@chain/platform';
import { bytesToHex, equalBytes } from '../primitives/index.ts';
import type { BlockTime } from '../types/index.ts';
import { parseBlockTime } from './blockTime.ts';
import { type ConsensusParams, DEFAULT_CONSENSUS_PARAMS } from './consensusParams.ts';
import { ED25519_KEY_TYPE, type GenesisDoc, type GenesisValidator } from './genesisDoc.ts';
import { GenesisFields } from './genesisFields.ts';
import { consensusAddress } from './validatorSet.ts';

const MAX_CHAIN_ID_LENGTH = 50;
const MAX_BLOCK_BYTES = 104_857_600n;

/** Parses CometBFT's `genesis.json`. Throws COMET_GENESIS_INVALID naming the member that is wrong. */
export function parseGenesisDoc(file: Uint8Array | string): GenesisDoc {
  const document = new GenesisFields(parseFile(file), '');
  const chainId = document.text('chain_id');
  if (chainId === '' || chainId.length > MAX_CHAIN_ID_LENGTH) {
    document.fail('chain_id', `must have 1 to ${MAX_CHAIN_ID_LENGTH} characters and has ${chainId.length}`);
  }
  const initialHeight = document.integer('initial_height', 1n);
  if (initialHeight < 0n || initialHeight > BigInt(Number.MAX_SAFE_INTEGER)) {
    document.fail('initial_height', `must be 1 or more and is ${initialHeight}`);
  }
  return {
    time: timeOf(document),
    chainId,
    initialHeight: Number(initialHeight) || 1,
    consensusParams: paramsOf(document.object('consensus_params')),
    validators: document
      .list('validators')
      .map((entry, i) => validatorOf(new GenesisFields(entry, `${document.path('validators')}[${i}]`))),
    appHash: document.hex('app_hash'),
    appState: document.value('app_state'),
  };
}

function parseFile(file: Uint8Array | string): unknown {
  try {
    return parseJson(file);
  } catch {
    // The parser's words quote the file, and it may be another one than was meant: a mounted Secret, for one.
    throw new CodedError('COMET_GENESIS_INVALID', 'genesis.json is not JSON; write the genesis of the chain');
  }
}

function timeOf(document: GenesisFields): BlockTime {
  try {
    return parseBlockTime(document.text('genesis_time'));
  } catch (cause) {
    return document.fail('genesis_time', 'must be an RFC 3339 time like 2024-03-01T12:30:15Z', cause);
  }
}

function paramsOf(fields: GenesisFields): ConsensusParams {
  const absent = DEFAULT_CONSENSUS_PARAMS;
  const [block, evidence, validator] = [
    fields.object('block'),
    fields.object('evidence'),
    fields.object('validator'),
  ];
  const params: ConsensusParams = {
    block: {
      maxBytes: block.integer('max_bytes', absent.block.maxBytes),
      maxGas: block.integer('max_gas', -1n),
    },
    evidence: {
      maxAgeNumBlocks: evidence.integer('max_age_num_blocks', absent.evidence.maxAgeNumBlocks),
      maxAgeDuration: evidence.integer('max_age_duration', absent.evidence.maxAgeDuration),
      maxBytes: evidence.integer('max_bytes', absent.evidence.maxBytes),
    },
    validator: { pubKeyTypes: keyTypesOf(validator) },
    version: { app: fields.object('version').integer('app', 0n) },
    abci: {
      voteExtensionsEnableHeight: fields.object('abci').integer('vote_extensions_enable_height', 0n),
    },
  };
  const { maxBytes, maxGas } = params.block;
  if (maxBytes < -1n || maxBytes === 0n || maxBytes > MAX_BLOCK_BYTES) {
    block.fail('max_bytes', `must be -1 or 1 to ${MAX_BLOCK_BYTES} and is ${maxBytes}`);
  }
  if (maxGas < -1n) block.fail('max_gas', `must be -1 or more and is ${maxGas}`);
  return params;
}

function keyTypesOf(fields: GenesisFields): string[] {
  const types = fields.has('pub_key_types') ? fields.list('pub_key_types') : ['ed25519'];
  return types.map((type) =>
    typeof type === 'string' ? type : fields.fail('pub_key_types', 'must be a list of strings'),
  );
}

function validatorOf(fields: GenesisFields): GenesisValidator {
  const key = fields.object('pub_key');
  if (key.text('type') !== ED25519_KEY_TYPE) key.fail('type', `must be "${ED25519_KEY_TYPE}"`);
  const publicKey = key.base64('value', 32);
  const power = fields.integer('power');
  if (power <= 0n) fields.fail('power', `must be above 0 and is ${power}`);
  const address = fields.hex('address');
  if (address.length > 0 && !equalBytes(address, consensusAddress(publicKey))) {
    fields.fail(
      'address',
      `is not the address of pub_key, ${bytesToHex(consensusAddress(publicKey)).toUpperCase()}`,
    );
  }
  return { publicKey, power, name: fields.text('name', '') };
}
