import type { Logger } from '@chain/platform';
import type { MetricsRegistry } from '@chain/platform/metrics';
import { CHAIN_PRECOMPILES, type EvmEngine } from '../evm/index.ts';
import { readEngineSets } from '../ledger/index.ts';
import type { Signatures } from '../signatures/index.ts';
import { EMPTY_STATE, Overlay, type StateReads } from '../state/view/index.ts';
import type { BlockContext, TransactionResult, ValidatorPower } from '../types/index.ts';
import type { BlockOutcome } from './blockOutcome.ts';
import { executionMetrics } from './executionMetrics.ts';
import type { ExecutionParts } from './executionParts.ts';
import { faultReport, internalError, isRefusal } from './faults.ts';
import type { GenesisState } from './genesis/genesisState.ts';
import { initGenesis } from './genesis/initGenesis.ts';
import { type ReplayInput, type ReplayOutcome, replayTransactions } from './replayTransactions.ts';
import { type BlockInput, runBlock } from './runBlock.ts';
import type { CallOutcome } from './simulation/callOutcome.ts';
import type { CallOptions, CallRequest } from './simulation/callRequest.ts';
import { estimateGas } from './simulation/estimateGas.ts';
import { type BlockToSimulate, simulateBlock } from './simulation/simulateBlock.ts';
import type { SimulatedBlock } from './simulation/simulatedBlock.ts';
import { Simulation } from './simulation/simulation.ts';
import { Sources } from './sources.ts';
import type { CheckedTransaction } from './transaction/checkedTransaction.ts';
import { checkTransaction } from './transaction/checkTransaction.ts';
import { type ReadTransaction, readTransaction } from './transaction/readTransaction.ts';
import { ledgerHashOf, type Received } from './transaction/receivedTransaction.ts';
import { SignaturesAhead } from './transaction/signaturesAhead.ts';
import { simulateLedgerTransaction } from './transaction/simulateLedgerTransaction.ts';
import { createTransactionCache } from './transaction/transactionCache.ts';

export interface ExecutionOptions {
  /** Most gas of a simulation (`simulation_gas_limit`); 0 is no cap. */
  readonly simulationGasCap?: bigint;
  /** Memory for decoded transactions that are kept with their senders between CheckTx and block. */
  readonly transactionCacheBytes?: number;
  /** A development home: blocks may edit state, and transactions may name a sender instead of being signed. */
  readonly development?: boolean;
  /** Least price of the ledger's gas that CheckTx takes (`minimum-gas-prices`); see `CheckOptions`. */
  readonly minimumGasPrice?: bigint;
  /** CheckTx takes what is signed for no chain in particular (`allow_unprotected_txs`). */
  readonly allowUnprotected?: boolean;
  /** Consensus address (20 bytes) of the only validator that the engine takes into the set. */
  readonly soleValidator?: Uint8Array | undefined;
}

export interface ExecutionDependencies {
  readonly engine: EvmEngine;
  /** Without it signatures are looked at where they are needed. */
  readonly signatures?: Signatures | undefined;
  readonly logger: Logger;
  readonly metrics?: MetricsRegistry;
}

/** The chain's rules. Every call is on a state that is handed in; nothing is kept but decoded transactions. */
export interface Execution {
  initGenesis(genesis: GenesisState, overlay: Overlay): void;
  /** Who signs the first two blocks; empty on a chain without staking. */
  initialValidators(genesis: GenesisState): readonly ValidatorPower[];
  /**
   * CheckTx; `context` is that of the block to come. Throws EXECUTION_REJECTED_… or LEDGER_REFUSED with
   * `fields.abciCode` and `fields.codespace`.
   */
  checkTransaction(raw: Uint8Array, state: StateReads, context: BlockContext): CheckedTransaction;
  /**
   * Has the curve's work of a check done beside this thread; `undefined` where none is left to do. A transaction whose
   * check fails in any case asks for none.
   */
  lookAhead(raw: Uint8Array, state: StateReads, context: BlockContext): Promise<void> | undefined;
  /** The same for reading transactions. */
  readAhead(txs: readonly Uint8Array[]): Promise<void> | undefined;
  /** Lets go of a checked transaction that no block will hold, so that it crowds out none that one will. */
  forgetTransaction(ledgerHash: Uint8Array): void;
  /**
   * Runs a ledger transaction without checks of signatures and fees; its result tells the gas. Throws LEDGER_REFUSED
   * for bytes that are none.
   */
  simulateTransaction(raw: Uint8Array, state: StateReads, context: BlockContext): TransactionResult;
  /** Reads a transaction without any state. Throws EXECUTION_REJECTED_… or LEDGER_REFUSED for one that never runs. */
  readTransaction(raw: Uint8Array): ReadTransaction;
  /** A whole block. Throws EXECUTION_OUT_OF_RESOURCES, upon which the node has to stop. */
  runBlock(input: BlockInput, parent: StateReads): Promise<BlockOutcome>;
  /** Transactions of a block without its end, for tracers and for states that no block has. */
  replayTransactions(input: ReplayInput, parent: StateReads): Promise<ReplayOutcome>;
  /** eth_call. A failing execution is an outcome; what cannot start throws EXECUTION_CALL_REFUSED. */
  call(
    request: CallRequest,
    state: StateReads,
    context: BlockContext,
    options?: CallOptions,
  ): Promise<CallOutcome>;
  /** eth_estimateGas. Throws EXECUTION_REVERTED (`fields.data`) or EXECUTION_ESTIMATE_FAILED. */
  estimateGas(
    request: CallRequest,
    state: StateReads,
    context: BlockContext,
    options?: CallOptions,
  ): Promise<bigint>;
  /** One block of eth_simulateV1. Throws EXECUTION_CALL_REFUSED (`fields.reason`), EXECUTION_OVERRIDE_REFUSED. */
  simulateBlock(block: BlockToSimulate, state: StateReads, context: BlockContext): Promise<SimulatedBlock>;
}

const DEFAULT_SIMULATION_GAS_CAP = 10_000_000n;
const DEFAULT_CACHE_BYTES = 32 * 1024 * 1024;

export function createExecution(options: ExecutionOptions, deps: ExecutionDependencies): Execution {
  const metrics = deps.metrics && executionMetrics(deps.metrics);
  const logger = deps.logger.child({ room: 'execution' });
  const report = faultReport(logger, () => metrics?.fault());
  const transactions = createTransactionCache({
    maxBytes: options.transactionCacheBytes ?? DEFAULT_CACHE_BYTES,
    mayImpersonate: options.development,
    report,
  });
  const checks = {
    minimumGasPrice: options.minimumGasPrice ?? 0n,
    allowUnprotected: options.allowUnprotected ?? false,
  };
  const ahead = new SignaturesAhead({ signatures: deps.signatures, transactions, checks });
  const parts: ExecutionParts = {
    engine: deps.engine,
    precompiles: CHAIN_PRECOMPILES,
    transactions,
    ahead,
    development: options.development ?? false,
    soleValidator: options.soleValidator,
    logger,
    report,
  };
  const simulated = { ...parts, gasCap: options.simulationGasCap ?? DEFAULT_SIMULATION_GAS_CAP };
  return {
    initGenesis: (genesis, overlay) => initGenesis(genesis, overlay, options.soleValidator),
    initialValidators: (genesis) => {
      const overlay = new Overlay(EMPTY_STATE);
      initGenesis(genesis, overlay, options.soleValidator);
      return readEngineSets(overlay).next;
    },
    checkTransaction: (raw, state, context) => {
      const sources = new Sources(state);
      let received: Received | undefined;
      try {
        received = parts.transactions.receive(raw);
        return checkTransaction(received, { state: sources.state, context }, checks);
      } catch (error) {
        if (received) parts.transactions.forget(received.ledgerHash);
        if (isRefusal(error) || sources.failed) throw error;
        // No block depends on a check: an error of the machine is a refusal like any other here.
        report(error, { check: ledgerHashOf(raw) });
        throw internalError(error);
      }
    },
    lookAhead: (raw, state, context) => ahead.ofCheck(raw, { state, context }),
    readAhead: (txs) => ahead.ofReading(txs),
    forgetTransaction: (ledgerHash) => parts.transactions.forget(ledgerHash),
    simulateTransaction: (raw, state, context) => simulateLedgerTransaction(raw, { state, context }),
    readTransaction: (raw) => readTransaction(parts.transactions.receive(raw)),
    runBlock: async (input, parent) => {
      const started = performance.now();
      const outcome = await runBlock(input, parent, parts);
      const milliseconds = performance.now() - started;
      metrics?.observe(outcome, milliseconds);
      const { height } = input.context;
      parts.logger.debug('block executed', {
        height,
        txs: input.txs.length,
        gasUsed: outcome.gasUsed,
        milliseconds,
      });
      return outcome;
    },
    replayTransactions: (input, parent) => replayTransactions(input, parent, parts),
    call: async (request, state, context, callOptions = {}) => {
      const simulation = new Simulation(simulated, { state, context }, callOptions);
      await simulation.runPriorCalls();
      return simulation.run(request, simulation.gasOf(request));
    },
    simulateBlock: (block, state, context) => simulateBlock(simulated, block, { state, context }),
    estimateGas: async (request, state, context, callOptions = {}) => {
      const simulation = new Simulation(simulated, { state, context }, callOptions);
      await simulation.runPriorCalls();
      return estimateGas(simulation, request);
    },
  };
}
