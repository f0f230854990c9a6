import {
  type EvmBlock,
  type EvmExecutionResult,
  type EvmFork,
  EvmState,
  floorGas,
  type Interrupt,
  intrinsicGas,
  maxInitCodeBytes,
  type PrecompileTable,
  REVERTED,
} from '../../evm/index.ts';
import { toChecksumAddress } from '../../primitives/index.ts';
import { Overlay, type StateReads } from '../../state/view/index.ts';
import type { BlockContext } from '../../types/index.ts';
import type { ExecutionParts } from '../executionParts.ts';
import { effectiveGasPrice, executeMessage, type MessageToExecute } from '../transaction/executeMessage.ts';
import { tellStart } from '../transaction/tellTracer.ts';
import type { CallOutcome } from './callOutcome.ts';
import type { AccountOverride, CallOptions, CallRequest } from './callRequest.ts';
import {
  applyStateOverrides,
  overrideBlock,
  overridePrecompiles,
  withoutReplacedStorage,
} from './overrides.ts';
import { revertMessage } from './revertReason.ts';
import { simulatedBlockOf } from './simulatedBlockOf.ts';
import { callRefused, estimateFailed, simulationTimeout } from './simulationError.ts';

const ZERO_ADDRESS = new Uint8Array(20);
const NO_BYTES = new Uint8Array(0);
const NO_OVERRIDES: readonly AccountOverride[] = [];
const UNLIMITED_GAS = 2n ** 63n - 1n;
export interface SimulatedMessage extends CallOutcome {
  /** Before refunds: what had to be there while it ran. */
  readonly gasBeforeRefund: bigint;
}

/** A state, a block and options that messages are tried on. What a message changes stays, unless undone. */
export class Simulation {
  readonly state: EvmState;
  readonly block: EvmBlock;
  readonly gasCap: bigint;
  readonly #parts: ExecutionParts;
  readonly #precompiles: PrecompileTable;
  readonly #options: CallOptions;
  readonly #interrupt: Interrupt;

  constructor(
    parts: ExecutionParts & { readonly gasCap: bigint },
    start: { readonly state: StateReads; readonly context: BlockContext },
    options: CallOptions,
  ) {
    const overrides = options.stateOverrides ?? NO_OVERRIDES;
    this.#parts = parts;
    this.#options = options;
    const deadline = performance.now() + (options.timeoutMs ?? Number.POSITIVE_INFINITY);
    this.#interrupt = (gas) => {
      options.interrupt?.(gas);
      if (performance.now() > deadline) throw simulationTimeout(options.timeoutMs!);
    };
    const cap = options.gasCap ?? parts.gasCap;
    this.gasCap = cap === 0n ? UNLIMITED_GAS : cap;
    this.state = new EvmState(new Overlay(withoutReplacedStorage(start.state, overrides)));
    const block = simulatedBlockOf(start);
    this.block = options.blockOverrides ? overrideBlock(block, options.blockOverrides) : block;
    this.#precompiles = overridePrecompiles(parts.precompiles, overrides, this.block.fork);
    applyStateOverrides(this.state, overrides);
  }

  /** Runs the requests that come before the one in question. */
  async runPriorCalls(): Promise<void> {
    for (const request of this.#options.priorCalls ?? []) await this.run(request, this.gasOf(request));
  }

  /** The gas asked for, silently lowered to the cap. */
  gasOf(request: CallRequest): bigint {
    return request.gas !== undefined && request.gas < this.gasCap ? request.gas : this.gasCap;
  }

  /** Runs and forgets what it changed. */
  async try(request: CallRequest, gas: bigint): Promise<SimulatedMessage> {
    const mark = this.state.mark();
    try {
      return await this.run(request, gas);
    } finally {
      this.state.revertTo(mark);
    }
  }

  /** Throws EXECUTION_CALL_REFUSED for too little gas, too low a fee cap, or too little money. */
  async run(request: CallRequest, gas: bigint): Promise<SimulatedMessage> {
    this.#interrupt();
    const sender = request.from ?? ZERO_ADDRESS;
    const message = {
      sender,
      to: request.to ?? null,
      value: request.value ?? 0n,
      data: request.data ?? NO_BYTES,
      gasLimit: gas,
      accessList: request.accessList ?? [],
      authorizationList: request.authorizationList ?? [],
    };
    const tracer = this.#options.tracerFor?.() ?? this.#options.tracer;
    tellStart(tracer, { ...message, price: priceOf(request, this.block.baseFee) }, this);
    const price = this.#buyGas(request, sender, gas);
    const needed = requiredGas(message, this.block.fork);
    this.#moveNonce(sender, message.to === null);
    const { execution, gasUsed, gasBeforeRefund } = await executeMessage(
      { ...message, intrinsicGas: needed, price },
      {
        ...this.#parts,
        state: this.state,
        // A call that pays nothing sees no base fee (spec R-13).
        block: price === 0n ? { ...this.block, baseFee: 0n } : this.block,
        precompiles: this.#precompiles,
        tracer,
        interrupt: this.#interrupt,
        onBurn: this.#options.onBurn,
      },
    );
    const touched = this.#options.wantsTouched ? this.state.warmSet() : undefined;
    if (price > 0n) this.state.setBalance(sender, this.state.balance(sender) + (gas - gasUsed) * price);
    this.state.endTransaction();
    tracer?.onEnd?.({ gasUsed });
    return { ...outcomeOf(execution), gasUsed, gasBeforeRefund, touched };
  }

  /** An override may set the last nonce there is; calls then wrap around and creations fail, as geth's do. */
  #moveNonce(sender: Uint8Array, creates: boolean): void {
    const next = BigInt.asUintN(64, this.state.nonce(sender) + 1n);
    if (creates && next === 0n) throw estimateFailed('nonce uint64 overflow');
    this.state.setNonce(sender, next);
  }

  /** Takes the money for the gas, when the call has a price at all, and returns the price. */
  #buyGas(request: CallRequest, sender: Uint8Array, gas: bigint): bigint {
    const { feeCap, tipCap } = feesOf(request);
    const { baseFee } = this.block;
    if (tipCap > feeCap) {
      const caps = `maxPriorityFeePerGas: ${tipCap}, maxFeePerGas: ${feeCap}`;
      throw callRefused(
        `max priority fee per gas higher than max fee per gas: address ${toChecksumAddress(sender)}, ${caps}`,
        gas,
        'tipAboveFeeCap',
      );
    }
    if (feeCap > 0n && feeCap < baseFee) {
      const caps = `maxFeePerGas: ${feeCap}, baseFee: ${baseFee}`;
      throw callRefused(
        `max fee per gas less than block base fee: address ${toChecksumAddress(sender)}, ${caps}`,
        gas,
        'feeCapTooLow',
      );
    }
    const have = this.state.balance(sender);
    const want = gas * feeCap + (request.value ?? 0n);
    if (have < want) {
      throw callRefused(
        `insufficient funds for gas * price + value: address ${toChecksumAddress(sender)} have ${have} want ${want}`,
        gas,
        'insufficientFunds',
      );
    }
    const price = priceOf(request, baseFee);
    if (price === 0n) return 0n;
    this.state.setBalance(sender, have - gas * price);
    return price;
  }
}

/** A call without a price pays nothing, whatever the base fee. */
function priceOf(request: CallRequest, baseFee: bigint): bigint {
  const { feeCap, tipCap } = feesOf(request);
  if (feeCap === 0n) return 0n;
  return effectiveGasPrice({ maxFeePerGas: feeCap, maxPriorityFeePerGas: tipCap }, baseFee);
}

/** A legacy price is cap and tip in one. */
export function feesOf(request: CallRequest): { feeCap: bigint; tipCap: bigint } {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = request;
  if (gasPrice !== undefined) return { feeCap: gasPrice, tipCap: gasPrice };
  return { feeCap: maxFeePerGas ?? 0n, tipCap: maxFeePerGas ? (maxPriorityFeePerGas ?? 0n) : 0n };
}

function requiredGas(
  message: Pick<MessageToExecute, 'gasLimit' | 'data' | 'to' | 'accessList' | 'authorizationList'>,
  fork: EvmFork,
): bigint {
  const { gasLimit } = message;
  const needed = intrinsicGas(message, fork);
  if (gasLimit < needed) {
    throw callRefused(`intrinsic gas too low: have ${gasLimit}, want ${needed}`, gasLimit, 'intrinsicGas');
  }
  const floor = floorGas(message.data, fork);
  if (gasLimit < floor) {
    throw callRefused(
      `insufficient gas for floor data gas cost: have ${gasLimit}, want ${floor}`,
      gasLimit,
      'intrinsicGas',
    );
  }
  const { to, data } = message;
  const maxCode = maxInitCodeBytes(fork);
  if (to === null && data.length > maxCode) {
    throw callRefused(
      `max initcode size exceeded: code size ${data.length} limit ${maxCode}`,
      gasLimit,
      'initCodeSize',
    );
  }
  return needed;
}

function outcomeOf({ error, returnData, logs, createdAddress }: EvmExecutionResult) {
  const reverted = error === REVERTED;
  const status: CallOutcome['status'] = error === undefined ? 'success' : reverted ? 'reverted' : 'failed';
  return {
    status,
    returnData,
    error: reverted ? revertMessage(returnData) : (error ?? ''),
    logs,
    createdAddress,
  };
}
