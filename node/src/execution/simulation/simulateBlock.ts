import {
  type BlockMark,
  type EvmBlock,
  recordParent,
  signedTransaction,
  type UnsignedEvmTransaction,
  writeNewestBlock,
} from '../../evm/index.ts';
import { readBalanceWei, writeBalanceWei } from '../../ledger/index.ts';
import { toHexData } from '../../primitives/index.ts';
import { Overlay, type StateReads } from '../../state/view/index.ts';
import type { BlockContext } from '../../types/index.ts';
import type { ExecutionParts } from '../executionParts.ts';
import { advanceBaseFee, readNextBaseFee } from '../feeMarket/baseFee.ts';
import { effectiveGasPrice } from '../transaction/executeMessage.ts';
import type { AccountOverride, BlockOverrides, CallOptions, CallRequest } from './callRequest.ts';
import type { SimulatedBlock, SimulatedCall } from './simulatedBlock.ts';
import { feesOf, Simulation } from './simulation.ts';
import { callRefused } from './simulationError.ts';
import { TransferLogs } from './transferLogs.ts';

/** One block of eth_simulateV1. Number, time and gas limit are its context's. */
export interface BlockToSimulate extends Pick<CallOptions, 'timeoutMs' | 'interrupt'> {
  /** The block before it. */
  readonly parent: BlockMark;
  readonly calls: readonly CallRequest[];
  readonly stateOverrides: readonly AccountOverride[];
  readonly blockOverrides: Pick<BlockOverrides, 'feeRecipient' | 'prevRandao' | 'baseFee' | 'blobBaseFee'>;
  /** All checks of a transaction but those of its signature and of its sender being no contract. */
  readonly validation: boolean;
  readonly traceTransfers: boolean;
}

const ZERO_ADDRESS = new Uint8Array(20);
const NO_BYTES = new Uint8Array(0);

/**
 * Runs calls as transactions of a block over `state`, which is only read. Without validation the base fee is zero
 * and nonces are not looked at. Throws EXECUTION_CALL_REFUSED (`fields.reason`) for a call that cannot be in it.
 */
export async function simulateBlock(
  parts: ExecutionParts & { readonly gasCap: bigint },
  block: BlockToSimulate,
  start: { readonly state: StateReads; readonly context: BlockContext },
): Promise<SimulatedBlock> {
  const { blockOverrides, validation, calls } = block;
  const baseFee = blockOverrides.baseFee ?? (validation ? readNextBaseFee(start.state) : 0n);
  const state = new Overlay(start.state);
  writeNewestBlock(state, block.parent);
  recordParent(state);
  let tracer: TransferLogs | undefined;
  const simulation = new Simulation(
    parts,
    { state, context: { ...start.context, baseFee } },
    {
      stateOverrides: block.stateOverrides,
      blockOverrides,
      timeoutMs: block.timeoutMs,
      interrupt: block.interrupt,
      tracerFor: () => tracer,
    },
  );
  const simulated: SimulatedCall[] = [];
  let [gasUsed, fees] = [0n, 0n];
  for (const request of calls) {
    tracer = block.traceTransfers ? new TransferLogs() : undefined;
    const filled = fill(request, simulation, gasUsed);
    if (validation) validate(filled, simulation);
    const outcome = await simulation.run(filled, filled.gas);
    const { feeCap, tipCap } = feesOf(filled);
    const price = effectiveGasPrice({ maxFeePerGas: feeCap, maxPriorityFeePerGas: tipCap }, baseFee);
    gasUsed += outcome.gasUsed;
    fees += outcome.gasUsed * price;
    simulated.push({
      from: filled.from,
      transaction: transactionOf(filled, simulation.block.chainId),
      effectiveGasPrice: price,
      outcome: { ...outcome, logs: tracer ? tracer.among(outcome.logs) : outcome.logs },
    });
  }
  return { block: simulation.block, calls: simulated, gasUsed, state: finish(simulation, { gasUsed, fees }) };
}

type Filled = CallRequest & { readonly from: Uint8Array; readonly gas: bigint; readonly nonce: bigint };

/** What a call leaves out: the sender's nonce, and the gas that the block has left. */
function fill(request: CallRequest, simulation: Simulation, gasUsed: bigint): Filled {
  const from = request.from ?? ZERO_ADDRESS;
  const left = simulation.block.gasLimit - gasUsed;
  const gas = request.gas ?? (left < simulation.gasCap ? left : simulation.gasCap);
  if (gas > left) {
    throw callRefused(
      `block gas limit reached: ${gasUsed} used and ${gas} asked for, of ${simulation.block.gasLimit}`,
      gas,
      'blockGasLimit',
    );
  }
  const capped = simulation.gasOf({ gas });
  return { ...request, from, gas: capped, nonce: request.nonce ?? simulation.state.nonce(from) };
}

function validate(request: Filled, { state, block }: Simulation): void {
  const { from, nonce, gas } = request;
  const expected = state.nonce(from);
  const where = `address ${toHexData(from)}, tx: ${nonce} state: ${expected}`;
  if (nonce < expected) throw callRefused(`nonce too low: ${where}`, gas, 'nonceTooLow');
  if (nonce > expected) throw callRefused(`nonce too high: ${where}`, gas, 'nonceTooHigh');
  const { feeCap } = feesOf(request);
  if (feeCap < block.baseFee) {
    const caps = `maxFeePerGas: ${feeCap}, baseFee: ${block.baseFee}`;
    throw callRefused(
      `max fee per gas less than block base fee: address ${toHexData(from)}, ${caps}`,
      gas,
      'feeCapTooLow',
    );
  }
}

/** The call as a transaction without a signature; its hash is that of its bytes, as geth has it. */
function transactionOf(request: Filled, chainId: bigint) {
  const { feeCap, tipCap } = feesOf(request);
  const { gasPrice, accessList = [], authorizationList = [] } = request;
  const legacyType = request.accessList ? 1 : 0;
  const unpriced = gasPrice === undefined ? 2 : legacyType;
  const unsigned: UnsignedEvmTransaction = {
    type: request.authorizationList ? 4 : unpriced,
    chainId,
    nonce: request.nonce,
    gasLimit: request.gas,
    gasPrice,
    maxFeePerGas: feeCap,
    maxPriorityFeePerGas: tipCap,
    to: request.to ?? null,
    value: request.value ?? 0n,
    data: request.data ?? NO_BYTES,
    accessList,
    authorizationList,
  };
  return signedTransaction(unsigned, { v: 0n, r: 0n, s: 0n });
}

/** Fees go to whom the block names, all of them: nothing is burned. Then the base fee of the next block. */
function finish(
  { state, block }: { readonly state: Simulation['state']; readonly block: EvmBlock },
  { gasUsed, fees }: { readonly gasUsed: bigint; readonly fees: bigint },
): Overlay {
  const { overlay } = state;
  if (fees > 0n) writeBalanceWei(overlay, block.coinbase, readBalanceWei(overlay, block.coinbase) + fees);
  advanceBaseFee(overlay, { gasUsed, gasLimit: block.gasLimit });
  return overlay;
}
