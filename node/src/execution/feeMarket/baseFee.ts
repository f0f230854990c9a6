import { DECIMAL_ONE, divideDecimal, multiplyDecimal, utf8 } from '../../primitives/index.ts';
import { EVM_PREFIX, STORE } from '../../state/schema/index.ts';
import type { Overlay, PointReads } from '../../state/view/index.ts';
import { type FeeParameters, readFeeParameters, writeFeeParameters } from './feeParameters.ts';

const NEXT_BASE_FEE_KEY = Uint8Array.of(EVM_PREFIX.nextBaseFee);

/** Gas that the block's EVM transactions used, and what the block could have used. */
export interface BlockGas {
  readonly gasUsed: bigint;
  readonly gasLimit: bigint;
}

/** The base fee after a block, from the one before (spec L-9). Fees are decimals of wei. */
export function adjustBaseFee(previous: bigint, gas: BlockGas, parameters: FeeParameters): bigint {
  const { minimumFeePerGas, maximumFeePerGas } = parameters;
  const moved = multiplyDecimal(previous, factor(gas, parameters));
  if (moved < minimumFeePerGas) return minimumFeePerGas;
  return moved > maximumFeePerGas ? maximumFeePerGas : moved;
}

function factor({ gasUsed, gasLimit }: BlockGas, parameters: FeeParameters): bigint {
  const target = parameters.targetGasUsedPerBlock;
  const used = gasUsed < gasLimit ? gasUsed : gasLimit;
  // A target at or above the block's limit can never be exceeded: `used` is capped to the limit.
  if (target === 0n) return DECIMAL_ONE;
  const over = used > target;
  const share = over
    ? divideDecimal((used - target) * DECIMAL_ONE, (gasLimit - target) * DECIMAL_ONE)
    : divideDecimal((target - used) * DECIMAL_ONE, target * DECIMAL_ONE);
  return over
    ? DECIMAL_ONE + multiplyDecimal(parameters.maxUpwardAdjustment, share)
    : DECIMAL_ONE - multiplyDecimal(parameters.maxDownwardAdjustment, share);
}

/** Base fee of the block after this state, in whole wei: the minimum fee while none was stored. */
export function readNextBaseFee(state: PointReads): bigint {
  return readNextBaseFeeDecimal(state) / DECIMAL_ONE;
}

/** Ends a block: stores the base fee of the next one and returns it in whole wei. */
export function advanceBaseFee(overlay: Overlay, gas: BlockGas): bigint {
  const next = adjustBaseFee(readNextBaseFeeDecimal(overlay), gas, readFeeParameters(overlay));
  overlay.set(STORE.evm, NEXT_BASE_FEE_KEY, utf8(next.toString()));
  return next / DECIMAL_ONE;
}

/** The next block's base fee as a development tool wants it, whole wei; the minimum goes down with it. */
export function chooseBaseFee(overlay: Overlay, wei: bigint): void {
  const parameters = readFeeParameters(overlay);
  const minimumFeePerGas = wei * DECIMAL_ONE;
  if (minimumFeePerGas < parameters.minimumFeePerGas) {
    writeFeeParameters(overlay, { ...parameters, minimumFeePerGas });
  }
  overlay.set(STORE.evm, NEXT_BASE_FEE_KEY, utf8(minimumFeePerGas.toString()));
}

function readNextBaseFeeDecimal(state: PointReads): bigint {
  const row = state.get(STORE.evm, NEXT_BASE_FEE_KEY);
  return row ? BigInt(Buffer.from(row).toString('latin1')) : readFeeParameters(state).minimumFeePerGas;
}
