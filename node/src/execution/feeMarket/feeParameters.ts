import { DECIMAL_ONE, utf8 } from '../../primitives/index.ts';
import { STORE } from '../../state/schema/index.ts';
import type { Overlay, PointReads } from '../../state/view/index.ts';

/** How the base fee moves (spec L-9). Decimals are scaled by 10^18; fees are decimals of wei. */
export interface FeeParameters {
  readonly minimumFeePerGas: bigint;
  readonly maximumFeePerGas: bigint;
  readonly maxUpwardAdjustment: bigint;
  readonly maxDownwardAdjustment: bigint;
  /** Gas, not scaled. 0 keeps the base fee where it is. */
  readonly targetGasUsedPerBlock: bigint;
}

const GWEI = 10n ** 9n;

export const DEFAULT_FEE_PARAMETERS: FeeParameters = {
  minimumFeePerGas: GWEI * DECIMAL_ONE,
  maximumFeePerGas: 1000n * GWEI * DECIMAL_ONE,
  maxUpwardAdjustment: (189n * DECIMAL_ONE) / 10_000n,
  maxDownwardAdjustment: (39n * DECIMAL_ONE) / 10_000n,
  targetGasUsedPerBlock: 250_000n,
};

const KEYS: Readonly<Record<keyof FeeParameters, Uint8Array>> = {
  minimumFeePerGas: utf8('evm/MinimumFeePerGas'),
  maximumFeePerGas: utf8('evm/MaximumFeePerGas'),
  maxUpwardAdjustment: utf8('evm/MaxDynamicBaseFeeUpwardAdjustment'),
  maxDownwardAdjustment: utf8('evm/MaxDynamicBaseFeeDownwardAdjustment'),
  targetGasUsedPerBlock: utf8('evm/TargetGasUsedPerBlock'),
};
const NAMES = Object.keys(KEYS) as (keyof FeeParameters)[];

/** The parameters in force; a parameter that was never written has its default. */
export function readFeeParameters(state: PointReads): FeeParameters {
  const entries = NAMES.map((name) => [name, readParameter(state, name)] as const);
  return Object.fromEntries(entries) as Record<keyof FeeParameters, bigint>;
}

/** Least fee cap that any transaction must offer, whole wei. */
export function readMinimumFee(state: PointReads): bigint {
  return readParameter(state, 'minimumFeePerGas') / DECIMAL_ONE;
}

export function writeFeeParameters(overlay: Overlay, parameters: FeeParameters): void {
  for (const name of NAMES) overlay.set(STORE.params, KEYS[name], utf8(parameters[name].toString()));
}

function readParameter(state: PointReads, name: keyof FeeParameters): bigint {
  const row = state.get(STORE.params, KEYS[name]);
  return row ? BigInt(Buffer.from(row).toString('latin1')) : DEFAULT_FEE_PARAMETERS[name];
}
