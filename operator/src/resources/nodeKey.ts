import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { parseJson } from '@chain/platform';
import { resourceErrors } from './resourceErrors.ts';

const SEED_BYTES = 32;
const KEY_BYTES = 64;
/** Of an Ed25519 public key in SPKI. */
const SPKI_HEAD_BYTES = 12;
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A new key in the form of CometBFT's node_key.json: seed and public key together. */
export function createNodeKey(): string {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-SEED_BYTES);
  const point = publicKey.export({ format: 'der', type: 'spki' }).subarray(SPKI_HEAD_BYTES);
  const value = Buffer.concat([seed, point]).toString('base64');
  return `${JSON.stringify({ priv_key: { type: 'tendermint/PrivKeyEd25519', value } })}\n`;
}

/** What peers know it by: the first 20 bytes of the public key's SHA-256, hex. Throws RESOURCES_KEY. */
export function nodeIdOf(nodeKeyJson: string, source: string): string {
  return addressOf(nodeKeyJson, source, 'node_key.json');
}

/** Address of a validator key: 40 hexadecimal digits, lower case. Throws RESOURCES_KEY. */
export function signerOf(validatorKeyJson: string, source: string): string {
  return addressOf(validatorKeyJson, source, 'priv_validator_key.json');
}

function addressOf(json: string, source: string, file: string): string {
  const key = keyIn(json);
  if (key === undefined) {
    throw resourceErrors.badKey(source, `it is no ${file} of CometBFT with an Ed25519 key; write one`);
  }
  const seed = Buffer.concat([PKCS8_HEAD, key.subarray(0, SEED_BYTES)]);
  const privateKey = createPrivateKey({ key: seed, format: 'der', type: 'pkcs8' });
  const point = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(SPKI_HEAD_BYTES);
  if (!point.equals(key.subarray(SEED_BYTES))) {
    throw resourceErrors.badKey(source, 'its public half is of another key; restore the file from a copy');
  }
  return createHash('sha256').update(point).digest('hex').slice(0, 40);
}

/** `undefined` for whatever else the text is: nothing of it may be told, for it can be any Secret of the namespace. */
function keyIn(nodeKeyJson: string): Buffer | undefined {
  try {
    const file = parseJson(nodeKeyJson) as { readonly priv_key: { type: unknown; value: string } };
    const { type, value } = file.priv_key;
    const key = Buffer.from(value, 'base64');
    return type === 'tendermint/PrivKeyEd25519' && key.length === KEY_BYTES ? key : undefined;
  } catch {
    return undefined;
  }
}
