import { isCodedError } from '@chain/platform';
import { GAS, isOutOfGas } from '../../evm/index.ts';
import type { CallRequest } from './callRequest.ts';
import { feesOf, type SimulatedMessage, type Simulation } from './simulation.ts';
import { estimateFailed, estimateReverted } from './simulationError.ts';

/** The search ends when the bounds are this close, as geth's does: 1.5 % of the upper one. */
const ERROR_RATIO = { numerator: 15n, denominator: 1000n } as const;
const CALL_STIPEND = 2_300n;

/**
 * The least gas with which the request succeeds, within 1.5 % (spec R-15). Throws EXECUTION_REVERTED,
 * EXECUTION_ESTIMATE_FAILED, or what the simulation throws.
 */
export async function estimateGas(simulation: Simulation, request: CallRequest): Promise<bigint> {
  const highest = highestGas(simulation, request);
  if (isTransfer(simulation, request) && highest >= GAS.transaction) {
    const outcome = await attempt(simulation, request, GAS.transaction);
    if (outcome?.status === 'success') return GAS.transaction;
  }
  const atHighest = await attempt(simulation, request, highest);
  if (atHighest?.status !== 'success') throw failure(atHighest, highest);
  return search(simulation, request, { highest, atHighest });
}

async function search(
  simulation: Simulation,
  request: CallRequest,
  { highest, atHighest }: { highest: bigint; atHighest: SimulatedMessage },
): Promise<bigint> {
  let low = atHighest.gasUsed - 1n;
  let high = highest;
  const succeedsWith = async (gas: bigint): Promise<boolean> =>
    (await attempt(simulation, request, gas))?.status === 'success';
  // Most requests succeed with what they used plus the 1/64 that every call holds back.
  const optimistic = ((atHighest.gasBeforeRefund + CALL_STIPEND) * 64n) / 63n;
  if (optimistic < high) {
    if (await succeedsWith(optimistic)) high = optimistic;
    else low = optimistic;
  }
  while (low + 1n < high) {
    if ((high - low) * ERROR_RATIO.denominator < high * ERROR_RATIO.numerator) break;
    const middle = (high + low) / 2n;
    // Most need not much more than the lower bound: look there first.
    const next = middle > low * 2n ? low * 2n : middle;
    if (await succeedsWith(next)) high = next;
    else low = next;
  }
  return high;
}

/** min(gas asked for or block gas limit, gas cap, what the balance pays for). */
function highestGas(simulation: Simulation, request: CallRequest): bigint {
  const asked = request.gas ?? 0n;
  let highest = asked >= GAS.transaction ? asked : simulation.block.gasLimit;
  const { feeCap } = feesOf(request);
  if (feeCap > 0n) {
    const balance = simulation.state.balance(request.from ?? new Uint8Array(20));
    const value = request.value ?? 0n;
    if (value > balance) throw estimateFailed('insufficient funds for transfer');
    const affordable = (balance - value) / feeCap;
    if (affordable < highest) highest = affordable;
  }
  return highest < simulation.gasCap ? highest : simulation.gasCap;
}

function isTransfer({ state }: Simulation, request: CallRequest): boolean {
  const hasData = request.data && request.data.length > 0;
  return !hasData && !!request.to && state.codeSize(request.to) === 0;
}

/** `undefined` when the gas does not even cover what a transaction costs before it runs. */
async function attempt(
  simulation: Simulation,
  request: CallRequest,
  gas: bigint,
): Promise<SimulatedMessage | undefined> {
  try {
    return await simulation.try(request, gas);
  } catch (error) {
    const lacksGas = isCodedError(error, 'EXECUTION_CALL_REFUSED') && error.fields.reason === 'intrinsicGas';
    if (lacksGas) return undefined;
    throw error;
  }
}

function failure(outcome: SimulatedMessage | undefined, gas: bigint) {
  if (outcome?.status === 'reverted') return estimateReverted(outcome.returnData);
  if (outcome && !isOutOfGas(outcome.error)) return estimateFailed(outcome.error);
  return estimateFailed(`gas required exceeds allowance (${gas})`);
}
