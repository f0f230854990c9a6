import { setImmediate as nextTurn } from 'node:timers/promises';
import { EvmState, type EvmTracer, evmBlockOf, recordParent, writeNewestBlock } from '../evm/index.ts';
import {
  allocateFees,
  EventLog,
  endStakingBlock,
  FEE_COLLECTOR_EVM_ADDRESS,
  isLedgerError,
  type LedgerEffects,
  ledgerError,
  ofStage,
  punishMisbehavior,
  readBalanceWei,
  runLedgerTransaction,
  STAYS_UNBONDED,
  settleSupply,
  watchVotes,
  writeBalanceWei,
} from '../ledger/index.ts';
import { Overlay, type PointReads, type RangeReads } from '../state/view/index.ts';
import type { BlockContext } from '../types/index.ts';
import { BlockLedger } from './blockLedger.ts';
import type { BlockOutcome } from './blockOutcome.ts';
import { editState } from './development/editState.ts';
import type { ExecutionParts } from './executionParts.ts';
import { advanceBaseFee } from './feeMarket/baseFee.ts';
import { readMinimumFee } from './feeMarket/feeParameters.ts';
import type { GenesisState } from './genesis/genesisState.ts';
import { initGenesis } from './genesis/initGenesis.ts';
import { Sources } from './sources.ts';
import type { Received, ReceivedLedgerTransaction } from './transaction/receivedTransaction.ts';
import { isRejection, rejectedResult, rejection } from './transaction/rejection.ts';
import { runTransaction, type TransactionScope } from './transaction/runTransaction.ts';
import { syntheticReceipt } from './transaction/syntheticReceipt.ts';

/** A block to run. */
export interface BlockInput {
  readonly context: BlockContext;
  /** Header hash, 32 bytes, which later blocks may ask for; none while nobody has decided the block. */
  readonly hash?: Uint8Array | undefined;
  /** `TxRaw` bytes in ledger order. */
  readonly txs: readonly Uint8Array[];
  /** For the first block of a chain: what is written before its transactions. */
  readonly genesis?: GenesisState | undefined;
  /** Who watches the EVM transaction at a ledger index; for replays. */
  readonly tracerFor?: (ledgerIndex: number) => EvmTracer | undefined;
  /** For replays: called again and again while code runs; what it throws ends the run. */
  readonly interrupt?: () => void;
}

// A long block lets others have a turn now and then, or the node would not answer while it runs.
const TURN_MS = 25;

/** Runs a block over `parent`, which is only read. Deterministic: the same input gives the same outcome. */
export async function runBlock(
  input: BlockInput,
  parent: PointReads & Partial<RangeReads>,
  parts: ExecutionParts,
): Promise<BlockOutcome> {
  const { context, txs } = input;
  const sources = new Sources(parent, input.interrupt);
  const overlay = new Overlay(sources.state);
  if (input.genesis) initGenesis(input.genesis, overlay, parts.soleValidator);
  recordParent(overlay);
  const begin = { overlay, events: new EventLog() };
  if (context.lastVotes) allocateFees(begin, context.lastVotes);
  punish(begin, context);
  const scope: TransactionScope = {
    state: new EvmState(overlay),
    block: evmBlockOf(context, sources.state),
    engine: parts.engine,
    precompiles: parts.precompiles,
    minimumFee: readMinimumFee(overlay),
    interrupt: sources.interrupt,
    onEngineFault: (error, transaction) => {
      if (sources.failed) throw error;
      parts.logger.error('engine failed', { hash: transaction.hash, height: context.height, error });
    },
  };
  const ledger = new BlockLedger(context, parts.soleValidator);
  let turnEnds = performance.now() + TURN_MS;
  for (const [index, raw] of txs.entries()) {
    sources.interrupt?.();
    await runOne(raw, { ledger, parts, scope: { ...scope, tracer: input.tracerFor?.(index) } });
    if (performance.now() < turnEnds) continue;
    await nextTurn();
    turnEnds = performance.now() + TURN_MS;
  }
  const end = { overlay, events: new EventLog() };
  // A replay is over with its last transaction, and would have to wait for ranges of its state.
  const isReplay = input.tracerFor !== undefined || parent.iterate === undefined;
  const validatorUpdates = isReplay ? [] : endStakingBlock(end, ledger.block);
  if (input.hash) writeNewestBlock(overlay, { height: context.height, hash: input.hash });
  const events = [...ofStage(begin.events.events, 'BeginBlock'), ...ofStage(end.events.events, 'EndBlock')];
  return { ...finish(overlay, parent, ledger), events, validatorUpdates };
}

function punish(effects: LedgerEffects, { height, time, lastVotes, misbehavior }: BlockContext): void {
  if (lastVotes) watchVotes(effects, lastVotes, { height, time });
  if (misbehavior) punishMisbehavior(effects, misbehavior, { height, time });
}

interface Run {
  readonly ledger: BlockLedger;
  readonly parts: ExecutionParts;
  readonly scope: TransactionScope;
}

async function runOne(raw: Uint8Array, { ledger, parts, scope }: Run): Promise<void> {
  if (parts.development && editState(raw, scope.state.overlay, ledger)) return;
  let received: Received;
  try {
    received = parts.transactions.receive(raw);
  } catch (error) {
    if (!isRejection(error) && !isLedgerError(error)) throw error;
    ledger.addResult(rejectedResult(error, 0n));
    return;
  }
  if (received.kind === 'ledger') {
    runLedger(received, { ledger, scope, parts });
    return;
  }
  const { gasLimit } = received.transaction;
  if (gasLimit > ledger.gasLeft && gasLimit <= scope.block.gasLimit) {
    // Not the sender's fault: the nonce stays, so that the transaction can come again.
    const full = rejection('GAS', `gas ${gasLimit} is more than the ${ledger.gasLeft} left in this block`);
    ledger.addResult(rejectedResult(full, gasLimit));
    return;
  }
  ledger.add(received, await runTransaction(received, scope));
}

function runLedger(received: ReceivedLedgerTransaction, { ledger, scope, parts }: Run): void {
  const { transaction, raw } = received;
  const { gasLimit } = transaction.fee;
  if (gasLimit > ledger.gasLeft) {
    const full = `gas ${gasLimit} is more than the ${ledger.gasLeft} left in this block`;
    ledger.addResult(rejectedResult(ledgerError('gas', full), gasLimit));
    return;
  }
  const options = { bytes: raw.length, minimumFee: 0n, mayBeAhead: false };
  const { overlay } = scope.state;
  const result = runLedgerTransaction(transaction, overlay, ledger.block, options);
  ledger.addLedger(result, syntheticReceipt(received, result, overlay));
  for (const { type, attributes } of result.events) {
    if (type !== STAYS_UNBONDED) continue;
    parts.logger.warn(
      'A validator was created that stays unbonded: the embedded engine keeps only its own key in the set',
      { validator: attributes[0]?.value, height: ledger.block.height },
    );
  }
}

function finish(
  overlay: Overlay,
  parent: PointReads,
  ledger: BlockLedger,
): Omit<BlockOutcome, 'events' | 'validatorUpdates'> {
  if (ledger.fees > 0n) {
    const collected = readBalanceWei(overlay, FEE_COLLECTOR_EVM_ADDRESS) + ledger.fees;
    writeBalanceWei(overlay, FEE_COLLECTOR_EVM_ADDRESS, collected);
  }
  const { evmGasUsed, gasUsed, gasLimit, results, receipts } = ledger;
  const nextBaseFee = ledger.chosenBaseFee ?? advanceBaseFee(overlay, { gasUsed: evmGasUsed, gasLimit });
  return { stores: settleSupply(overlay, parent), results, receipts, nextBaseFee, gasUsed };
}
