import { hexToBytes, sha256, utf8 } from '../primitives/index.ts';

/** What COINBASE shows and where fees go: CREATE(0x…01, nonce 42) (json-rpc.md §6.2). */
export const FEE_COLLECTOR_EVM_ADDRESS = hexToBytes('27f7b8b8b5a4e71e8e9aa671f4e4031e3773303f');

/** Chain account of a module: the first 20 bytes of SHA-256 over its name. */
function moduleAddress(name: string): Uint8Array {
  return sha256(utf8(name)).subarray(0, 20);
}

/** Chain account behind FEE_COLLECTOR_EVM_ADDRESS; genesis associates the two. */
export const FEE_COLLECTOR_CHAIN_ADDRESS = moduleAddress('fee_collector');
