import { isCodedError, throwIfResource } from '@chain/platform';
import { type Association, associate } from '../../ledger/index.ts';
import {
  chainAddressOf,
  compressPublicKey,
  evmAddressOf,
  keccak256,
  padLeft,
  recoverPublicKey,
  toBech32,
  uncompressPublicKey,
  utf8,
} from '../../primitives/index.ts';
import { stringArgument, stringResult } from './abiStrings.ts';
import type { PrecompileContext } from './precompile.ts';

const COMPRESSED_BYTES = 33;
/** Of the longest argument, a key. */
const MAX_HEX = 2 + 2 * COMPRESSED_BYTES;
const HEX = /^(?:0x)?((?:[0-9a-f]{2})*|[0-9a-f])$/i;

/** `associate(string v, string r, string s, string customMessage)`: whoever signed keccak256 of the message. */
export function associateSigner(body: Uint8Array, context: PrecompileContext): Uint8Array | undefined {
  const [v, r, s] = [0, 1, 2].map((position) => hexArgument(body, position));
  const message = stringArgument(body, 3);
  if (!v || !r || !s || message === undefined) return undefined;
  const recoveryId = v.reduce((value, byte) => value * 256 + byte, 0);
  if (r.length > 32 || s.length > 32 || (recoveryId !== 0 && recoveryId !== 1)) return undefined;
  const signature = new Uint8Array(64);
  signature.set(padLeft(r, 32));
  signature.set(padLeft(s, 32), 32);
  const key = recoverPublicKey(keccak256(utf8(message)), { signature, recoveryId });
  return key && associateKey(key, context);
}

/** `associatePubKey(string pubKeyHex)`: the owner of a compressed key. */
export function associatePublicKey(body: Uint8Array, context: PrecompileContext): Uint8Array | undefined {
  const compressed = hexArgument(body, 0);
  if (compressed?.length !== COMPRESSED_BYTES) return undefined;
  const key = uncompressed(compressed);
  return key && associateKey(key, context);
}

/** `undefined` for bytes that are no point. */
function uncompressed(compressed: Uint8Array): Uint8Array | undefined {
  try {
    return uncompressPublicKey(compressed);
  } catch (error) {
    throwIfResource(error);
    return undefined;
  }
}

/** `undefined` when either address is bound already, to whomever. */
function associateKey(key: Uint8Array, { state }: PrecompileContext): Uint8Array | undefined {
  const publicKey = compressPublicKey(key);
  const association = { evmAddress: evmAddressOf(key), chainAddress: chainAddressOf(publicKey), publicKey };
  if (!isNew(association, state)) return undefined;
  return stringResult(toBech32(association.chainAddress), padLeft(association.evmAddress, 32));
}

function isNew(association: Association, state: PrecompileContext['state']): boolean {
  try {
    return associate(state.overlay, association);
  } catch (error) {
    if (!isCodedError(error, 'LEDGER_ASSOCIATED_ELSEWHERE')) throw error;
    return false;
  }
}

/** Hex with or without `0x`; a single digit stands for a byte. */
function hexArgument(body: Uint8Array, position: number): Uint8Array | undefined {
  const text = stringArgument(body, position);
  if (text === undefined || text.length > MAX_HEX) return undefined;
  const digits = HEX.exec(text)?.[1];
  if (digits === undefined) return undefined;
  return Buffer.from(digits.length === 1 ? `0${digits}` : digits, 'hex');
}
