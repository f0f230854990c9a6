import { consensusAddress, ED25519_KEY_TYPE, type Validator } from '../../comet/index.ts';
import { base64, type Json, upperHex } from './values.ts';

export function publicKeyJson(publicKey: Uint8Array): Json {
  return { type: ED25519_KEY_TYPE, value: base64(publicKey) };
}

/** ABCI's `ValidatorUpdate`; Go names the member of the oneof, and leaves a power of 0 out. */
export function validatorUpdateJson({ publicKey, power }: Validator): Json {
  const value = { ed25519: base64(publicKey) };
  return {
    pub_key: { Sum: { type: 'tendermint.crypto.PublicKey_Ed25519', value } },
    ...(power !== 0n && { power: String(power) }),
  };
}

/** The priority of a single validator is always 0: each round it gains its power and pays all of it. */
export function validatorJson({ publicKey, power }: Validator): Json {
  return {
    address: upperHex(consensusAddress(publicKey)),
    pub_key: publicKeyJson(publicKey),
    voting_power: String(power),
    proposer_priority: '0',
  };
}
