import { bigintToFixedBytes, keccak256, padLeft, utf8 } from '../primitives/index.ts';
import type { EvmLog } from '../types/index.ts';

const TRANSFER = keccak256(utf8('Transfer(address,address,uint256)'));

/** The Transfer event of ERC-20 by the contract at `address`. */
export function transferLog(
  address: Uint8Array,
  { from, to, value }: { readonly from: Uint8Array; readonly to: Uint8Array; readonly value: bigint },
): EvmLog {
  return {
    address,
    topics: [TRANSFER, padLeft(from, 32), padLeft(to, 32)],
    data: bigintToFixedBytes(value, 32),
  };
}
