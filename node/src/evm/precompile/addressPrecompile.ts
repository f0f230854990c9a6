import { isCodedError } from '@chain/platform';
import { readChainAddress, readEvmAddress } from '../../ledger/index.ts';
import {
  bytesToHex,
  fromBech32,
  hexToBytes,
  keccak256,
  padLeft,
  toBech32,
  utf8,
} from '../../primitives/index.ts';
import { stringArgument, stringResult } from './abiStrings.ts';
import { associatePublicKey, associateSigner } from './associateMethods.ts';
import { flatGas, READ_BYTE_GAS } from './inputGas.ts';
import type { Precompile, PrecompileContext, PrecompileOutcome } from './precompile.ts';

const ADDRESS = hexToBytes('0000000000000000000000000000000000001004');
const QUERY_BASE_GAS = 1_000n;
const ASSOCIATE_GAS = 50_000n;
const NO_BYTES = new Uint8Array(0);

/** `undefined` is a failure. */
type Answer = (body: Uint8Array, context: PrecompileContext) => Uint8Array | undefined;

interface Method {
  readonly answer: Answer;
  /** Of the arguments without the selector. */
  readonly gas: (bodyBytes: number) => bigint;
  /** Writes state, which a STATICCALL may not. */
  readonly writes: boolean;
}

const query = (answer: Answer): Method => ({
  answer,
  gas: (bodyBytes) => QUERY_BASE_GAS + READ_BYTE_GAS * BigInt(bodyBytes),
  writes: false,
});
const association = (answer: Answer): Method => ({
  answer,
  gas: (bodyBytes) => flatGas(ASSOCIATE_GAS, bodyBytes),
  writes: true,
});
const selectorOf = (signature: string): string => bytesToHex(keccak256(utf8(signature)).subarray(0, 4));

const METHODS: ReadonlyMap<string, Method> = new Map([
  ['0c3c20ed', query(chainAddress)],
  [selectorOf('getChainAddr(address)'), query(chainAddress)],
  ['1778e539', query(evmAddress)],
  [selectorOf('associate(string,string,string,string)'), association(associateSigner)],
  [selectorOf('associatePubKey(string)'), association(associatePublicKey)],
]);

/**
 * The precompile 0x…1004 (spec L-11, docs/abi/address.json): `getChainAddr(address)` under both of its
 * selectors, `getEvmAddr(string)`, `associate` and `associatePubKey`. It fails, and consumes all gas, on anything
 * else, on an address without association, and on an association that exists.
 */
export const addressPrecompile: Precompile = {
  address: ADDRESS,
  run: (input, context) => {
    const body = input.subarray(4);
    const method = input.length < 4 ? undefined : METHODS.get(bytesToHex(input.subarray(0, 4)));
    if (!method || context.value !== 0n || (method.writes && context.isStatic)) return failed(context);
    const gasUsed = method.gas(body.length);
    // Too little gas is told by the caller; nothing is written for it.
    if (gasUsed > context.gasLimit) return { status: 'success', returnData: NO_BYTES, gasUsed };
    const returnData = method.answer(body, context);
    return returnData ? { status: 'success', returnData, gasUsed } : failed(context);
  },
};

function failed({ gasLimit }: PrecompileContext): PrecompileOutcome {
  return { status: 'reverted', returnData: NO_BYTES, gasUsed: gasLimit };
}

function chainAddress(body: Uint8Array, { state }: PrecompileContext): Uint8Array | undefined {
  if (body.length < 32 || body.subarray(0, 12).some((byte) => byte !== 0)) return undefined;
  const found = readChainAddress(state.overlay, body.subarray(12, 32));
  return found && stringResult(toBech32(found));
}

function evmAddress(body: Uint8Array, { state }: PrecompileContext): Uint8Array | undefined {
  const address = bech32Argument(body);
  const found = address && readEvmAddress(state.overlay, address);
  return found && padLeft(found, 32);
}

function bech32Argument(body: Uint8Array): Uint8Array | undefined {
  const text = stringArgument(body, 0);
  try {
    return text === undefined ? undefined : fromBech32(text);
  } catch (error) {
    if (!isCodedError(error, 'ADDRESS_INVALID_BECH32')) throw error;
    return undefined;
  }
}
