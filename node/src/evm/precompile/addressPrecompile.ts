import { readChainAddress, readEvmAddress } from '../../ledger/index.ts';
import {
  bytesToBigint,
  bytesToHex,
  concatBytes,
  fromBech32,
  hexToBytes,
  keccak256,
  padLeft,
  toBech32,
  utf8,
} from '../../primitives/index.ts';
import type { Precompile, PrecompileContext, PrecompileOutcome } from './precompile.ts';

const ADDRESS = hexToBytes('0000000000000000000000000000000000001004');
const GET_CHAIN_ADDRESS = [
  '0c3c20ed',
  bytesToHex(keccak256(utf8('getChainAddr(address)')).subarray(0, 4)),
] as const;
const GET_EVM_ADDRESS = '1778e539';
const QUERY_BASE_GAS = 1_000n;
const QUERY_BYTE_GAS = 3n;
const NO_BYTES = new Uint8Array(0);

/**
 * The precompile 0x…1004 (json-rpc.md §6.4, docs/abi/address.json): `getChainAddr(address) → string` under both
 * of its selectors and `getEvmAddr(string) → address`. It fails, and consumes all gas, on anything else and on an
 * address without association.
 */
export const addressPrecompile: Precompile = {
  address: ADDRESS,
  run: (input, context) => {
    const answer = context.value === 0n ? answerTo(input, context) : undefined;
    const outcome: PrecompileOutcome = answer
      ? { status: 'success', returnData: answer, gasUsed: gasOf(input) }
      : { status: 'reverted', returnData: NO_BYTES, gasUsed: context.gasLimit };
    return outcome;
  },
};

const gasOf = (input: Uint8Array): bigint =>
  QUERY_BASE_GAS + QUERY_BYTE_GAS * BigInt(Math.max(0, input.length - 4));

function answerTo(input: Uint8Array, { state }: PrecompileContext): Uint8Array | undefined {
  const selector = bytesToHex(input.subarray(0, 4));
  const body = input.subarray(4);
  if (GET_CHAIN_ADDRESS.some((known) => known === selector)) {
    const evmAddress = decodeAddress(body);
    const found = evmAddress && readChainAddress(state.overlay, evmAddress);
    return found && encodeString(toBech32(found));
  }
  if (selector !== GET_EVM_ADDRESS) return undefined;
  const chainAddress = decodeBech32(body);
  const found = chainAddress && readEvmAddress(state.overlay, chainAddress);
  return found && padLeft(found, 32);
}

function decodeAddress(body: Uint8Array): Uint8Array | undefined {
  if (body.length < 32 || body.subarray(0, 12).some((byte) => byte !== 0)) return undefined;
  return body.subarray(12, 32);
}

function decodeBech32(body: Uint8Array): Uint8Array | undefined {
  const text = decodeString(body);
  try {
    return text === undefined ? undefined : fromBech32(text);
  } catch {
    return undefined;
  }
}

/** ABI: an offset, there a length, then the bytes. */
function decodeString(body: Uint8Array): string | undefined {
  const offset = bytesToBigint(body.subarray(0, 32));
  if (body.length < 64 || offset > BigInt(body.length - 32)) return undefined;
  const start = Number(offset) + 32;
  const length = bytesToBigint(body.subarray(start - 32, start));
  if (length > BigInt(body.length - start)) return undefined;
  return Buffer.from(body.subarray(start, start + Number(length))).toString('utf8');
}

function encodeString(text: string): Uint8Array {
  const bytes = utf8(text);
  const padded = new Uint8Array(Math.ceil(bytes.length / 32) * 32);
  padded.set(bytes);
  return concatBytes(word(32), word(bytes.length), padded);
}

const word = (value: number): Uint8Array => padLeft(hexToBytes(value.toString(16).padStart(8, '0')), 32);
