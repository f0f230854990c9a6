import { isCodedError } from '@chain/platform';
import { BECH32_PREFIX, fromBech32, hexToBytes, toBech32 } from '../primitives/index.ts';
import { queryErrors } from './queryErrors.ts';

export const accountText = (address: Uint8Array): string => toBech32(address);
export const consensusText = (address: Uint8Array): string => toBech32(address, BECH32_PREFIX.consensus);

export const parseAccount = (text: string): Uint8Array => parse(text, BECH32_PREFIX.account, 'address');
export const parseOperator = (text: string): Uint8Array =>
  parse(text, BECH32_PREFIX.validator, 'validator address');
export const parseConsensus = (text: string): Uint8Array =>
  parse(text, BECH32_PREFIX.consensus, 'consensus address');

/** 20 bytes, 0x-prefixed or not. */
export function parseEvmAddress(text: string): Uint8Array {
  if (!/^(0x)?[0-9a-fA-F]{40}$/.test(text)) {
    throw queryErrors.invalid(`"${text.slice(0, 100)}" is not an EVM address: 0x and 40 hex digits`);
  }
  return hexToBytes(text);
}

function parse(text: string, prefix: string, what: string): Uint8Array {
  if (text === '') throw queryErrors.invalid(`${what} cannot be empty`);
  try {
    return fromBech32(text, prefix);
  } catch (cause) {
    if (isCodedError(cause)) throw queryErrors.invalid(`invalid ${what}: ${cause.message}`, cause);
    throw cause;
  }
}
