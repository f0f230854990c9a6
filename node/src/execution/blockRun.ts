import { setImmediate as nextTurn } from 'node:timers/promises';
import { EvmState, type EvmTracer, evmBlockOf, type Interrupt, recordParent } from '../evm/index.ts';
import {
  allocateFees,
  EventLog,
  FEE_COLLECTOR_EVM_ADDRESS,
  type LedgerEffects,
  punishMisbehavior,
  readBalanceWei,
  settleSupply,
  watchVotes,
  writeBalanceWei,
} from '../ledger/index.ts';
import { Overlay, type StateReads } from '../state/view/index.ts';
import type { BlockContext, LedgerEvent } from '../types/index.ts';
import { BlockAhead } from './blockAhead.ts';
import type { BlockOutcome } from './blockOutcome.ts';
import { BlockResultsBuilder } from './blockResultsBuilder.ts';
import type { ExecutionParts } from './executionParts.ts';
import { blockFaults } from './faults.ts';
import { advanceBaseFee } from './feeMarket/baseFee.ts';
import { readMinimumFee } from './feeMarket/feeParameters.ts';
import type { GenesisState } from './genesis/genesisState.ts';
import { initGenesis } from './genesis/initGenesis.ts';
import { runOne } from './runOne.ts';
import { Sources } from './sources.ts';
import type { TransactionScope } from './transaction/runTransaction.ts';

/** Transactions, and the block that they run in. */
export interface TransactionsInput {
  readonly context: BlockContext;
  /** `TxRaw` bytes in ledger order. */
  readonly txs: readonly Uint8Array[];
  /** For the first block of a chain: what is written before its transactions. */
  readonly genesis?: GenesisState | undefined;
  /** Called again and again while code runs; what it throws ends the run. */
  readonly interrupt?: Interrupt | undefined;
}

// A long block lets others have a turn now and then, or the node would not answer while it runs.
const TURN_MS = 25;

/** A block from its beginning to its last transaction, over a state that is only read. */
export class BlockRun {
  readonly overlay: Overlay;
  readonly ledger: BlockResultsBuilder;
  /** Of the time before the first transaction. */
  readonly events: readonly LedgerEvent[];
  readonly #input: TransactionsInput;
  readonly #parent: StateReads;
  readonly #parts: ExecutionParts;
  readonly #sources: Sources;

  constructor(input: TransactionsInput, parent: StateReads, parts: ExecutionParts) {
    const { context, genesis } = input;
    this.#input = input;
    this.#parent = parent;
    this.#parts = parts;
    this.#sources = new Sources(parent, input.interrupt);
    this.overlay = new Overlay(this.#sources.state);
    this.ledger = new BlockResultsBuilder(context, parts.soleValidator);
    if (genesis) initGenesis(genesis, this.overlay, parts.soleValidator);
    recordParent(this.overlay);
    const begin = { overlay: this.overlay, events: new EventLog() };
    if (context.lastVotes) allocateFees(begin, context.lastVotes);
    punish(begin, context);
    this.events = begin.events.events;
  }

  /** `tracerFor` says who watches the EVM transaction at a ledger index. */
  async runTransactions(tracerFor?: (ledgerIndex: number) => EvmTracer | undefined): Promise<void> {
    const { context, txs } = this.#input;
    const { state, interrupt } = this.#sources;
    const { engine, precompiles, report } = this.#parts;
    const scope: TransactionScope = {
      state: new EvmState(this.overlay),
      block: evmBlockOf(context, state),
      engine,
      precompiles,
      minimumFee: readMinimumFee(this.overlay),
      interrupt,
      onFault: () => undefined,
    };
    const ahead = this.#ahead();
    let turnEnds = performance.now() + TURN_MS;
    for (const [index, raw] of txs.entries()) {
      interrupt?.();
      await ahead?.reach(index);
      const onFault = blockFaults(this.#sources, report, { height: context.height, index });
      const run = { ledger: this.ledger, parts: this.#parts, received: ahead?.received(index) };
      await runOne(raw, { ...run, scope: { ...scope, onFault, tracer: tracerFor?.(index) } });
      if (performance.now() < turnEnds) continue;
      await nextTurn();
      turnEnds = performance.now() + TURN_MS;
    }
  }

  /** A transaction alone is looked at where it runs. */
  #ahead(): BlockAhead | undefined {
    const { context, txs } = this.#input;
    const { ahead: signatures } = this.#parts;
    if (txs.length < 2 || !signatures.isBeside) return undefined;
    return new BlockAhead(txs, { signatures, state: this.#parent, chainId: context.chainId });
  }

  /** What the block comes to once nothing more is written. */
  settle(): Omit<BlockOutcome, 'events' | 'validatorUpdates'> {
    const { evmGasUsed, gasUsed, gasLimit, results, receipts, fees, chosenBaseFee } = this.ledger;
    if (fees > 0n) {
      const collected = readBalanceWei(this.overlay, FEE_COLLECTOR_EVM_ADDRESS) + fees;
      writeBalanceWei(this.overlay, FEE_COLLECTOR_EVM_ADDRESS, collected);
    }
    const nextBaseFee = chosenBaseFee ?? advanceBaseFee(this.overlay, { gasUsed: evmGasUsed, gasLimit });
    return { stores: settleSupply(this.overlay, this.#parent), results, receipts, nextBaseFee, gasUsed };
  }
}

function punish(effects: LedgerEffects, { height, time, lastVotes, misbehavior }: BlockContext): void {
  if (lastVotes) watchVotes(effects, lastVotes, { height, time });
  if (misbehavior) punishMisbehavior(effects, misbehavior, { height, time });
}
