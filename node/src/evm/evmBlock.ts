import { FEE_COLLECTOR_EVM_ADDRESS } from '../ledger/index.ts';
import { concatBytes, keccak256, uint64ToBytes } from '../primitives/index.ts';
import type { PointReads } from '../state/view/index.ts';
import type { BlockContext, BlockTime } from '../types/index.ts';
import type { EvmFork } from './fork/evmFork.ts';
import { forkAt } from './fork/forkSchedule.ts';
import { recentHashes } from './recentBlocks.ts';

/** What the block opcodes show (spec L-6). */
export interface EvmBlock {
  readonly fork: EvmFork;
  readonly chainId: bigint;
  readonly number: bigint;
  /** Seconds. */
  readonly timestamp: bigint;
  /** Of the second: the ledger's time is finer than the EVM's. */
  readonly nanos: number;
  readonly coinbase: Uint8Array;
  /** 32 bytes. */
  readonly prevRandao: Uint8Array;
  readonly gasLimit: bigint;
  readonly baseFee: bigint;
  readonly blobBaseFee: bigint;
  /** BLOCKHASH within its 256-block window, 32 bytes; `undefined` shows as zero. */
  readonly blockHash: (blockNumber: number) => Uint8Array | undefined;
}

const SECONDS_FROM_YEAR_1_TO_1970 = 62_135_596_800n;
const BINARY_TIME_VERSION = Uint8Array.of(1);
const UTC_OFFSET = Uint8Array.of(0xff, 0xff);

/** `state` is the one before or after the block. */
export function evmBlockOf(context: BlockContext, state: PointReads): EvmBlock {
  return {
    fork: forkAt(state, context.height),
    chainId: context.evmChainId,
    number: BigInt(context.height),
    timestamp: context.time.seconds,
    nanos: context.time.nanos,
    coinbase: FEE_COLLECTOR_EVM_ADDRESS,
    prevRandao: prevRandaoOf(context.time),
    gasLimit: context.gasLimit,
    baseFee: context.baseFee,
    blobBaseFee: 1n,
    blockHash: recentHashes(state, context.height),
  };
}

/** keccak256 of Go's binary form of the block time in UTC (spec L-6). */
export function prevRandaoOf(time: BlockTime): Uint8Array {
  const nanos = Buffer.alloc(4);
  nanos.writeUInt32BE(time.nanos);
  const seconds = uint64ToBytes(time.seconds + SECONDS_FROM_YEAR_1_TO_1970);
  return keccak256(concatBytes(BINARY_TIME_VERSION, seconds, nanos, UTC_OFFSET));
}
