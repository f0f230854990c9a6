import { hexToBytes } from '../primitives/index.ts';
import { moduleAddress } from './moduleAddress.ts';

/** What COINBASE shows and where fees go: CREATE(0x…01, nonce 42) (spec L-13). */
export const FEE_COLLECTOR_EVM_ADDRESS = hexToBytes('27f7b8b8b5a4e71e8e9aa671f4e4031e3773303f');

/** Chain account behind FEE_COLLECTOR_EVM_ADDRESS; genesis associates the two. */
export const FEE_COLLECTOR_CHAIN_ADDRESS = moduleAddress('fee_collector');
