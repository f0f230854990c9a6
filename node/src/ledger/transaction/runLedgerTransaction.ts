import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci';
import { appendAll, toBech32 } from '../../primitives/index.ts';
import type { Overlay } from '../../state/view/index.ts';
import type { BlockTime, LedgerEvent, TransactionResult } from '../../types/index.ts';
import { asRefusal, isLedgerError, type LedgerError, type OnFault } from '../ledgerError.ts';
import type { MessageAnswer, MessageContext } from '../messages/messageKind.ts';
import type { PointerTransfer } from '../pointers/pointerTransfers.ts';
import type { PointerDeployer } from '../pointers/registerPointer.ts';
import { type AnteOptions, checkLedgerShape, runAnte } from './ante.ts';
import type { LedgerTransaction } from './decodeTransaction.ts';
import { EventLog, ofMessage } from './events.ts';
import { GasMeter } from './gasMeter.ts';
import { flushOverlay, MeteredOverlay } from './meteredOverlay.ts';

/** The block that a ledger transaction runs in. */
export interface LedgerBlock {
  readonly chainId: string;
  readonly height: number;
  readonly time: BlockTime;
  /** See `MessageContext`. */
  readonly soleValidator?: Uint8Array | undefined;
  readonly deployPointer: PointerDeployer;
}

/** A result, and what pointers tell of it: nothing when it failed. */
export interface LedgerOutcome extends TransactionResult {
  readonly pointerTransfers: readonly PointerTransfer[];
}

export interface RunOptions extends AnteOptions {
  /** What may be consumed in place of what the transaction pays for: a simulation finds out how much that is. */
  readonly gasLimit?: bigint;
  readonly onFault: OnFault;
}

const NO_BYTES = new Uint8Array(0);

/**
 * Runs a ledger transaction on the block's state. When the ante stage fails nothing is left of it; when a message
 * fails, the fee and the sequence stay spent. Never throws LEDGER_REFUSED: the result has its codespace and code.
 */
export function runLedgerTransaction(
  transaction: LedgerTransaction,
  overlay: Overlay,
  block: LedgerBlock,
  options: RunOptions,
): LedgerOutcome {
  const meter = new GasMeter(options.gasLimit ?? transaction.fee.gasLimit);
  const result = { gasWanted: transaction.fee.gasLimit, pointerTransfers: [] };
  const ante = new MeteredOverlay(overlay, meter);
  const anteEvents = new EventLog();
  try {
    checkLedgerShape(transaction, block.height);
    runAnte(transaction, { ...block, overlay: ante, events: anteEvents, meter }, options);
  } catch (error) {
    return { ...result, ...refusal(asRefusal(error, options.onFault)), gasUsed: meter.consumed, events: [] };
  }
  flushOverlay(ante, overlay);
  const messages = new MeteredOverlay(overlay, meter);
  const events: LedgerEvent[] = [];
  const pointerTransfers: PointerTransfer[] = [];
  try {
    const answers = runMessages(
      transaction,
      { ...block, overlay: messages, events: new EventLog(), meter, pointerTransfers },
      events,
    );
    flushOverlay(messages, overlay);
    const data = TxMsgData.encode({ data: [], msgResponses: answers }).finish();
    const all = [...anteEvents.events, ...events];
    const success = { code: 0, codespace: '', data, log: '', gasUsed: meter.consumed, events: all };
    return { ...result, ...success, pointerTransfers };
  } catch (error) {
    const refused = refusal(asRefusal(error, options.onFault));
    return { ...result, ...refused, gasUsed: meter.consumed, events: anteEvents.events };
  }
}

function refusal(error: LedgerError): Pick<TransactionResult, 'code' | 'codespace' | 'data' | 'log'> {
  const { abciCode, codespace } = error.fields;
  return { code: Number(abciCode), codespace: String(codespace), data: NO_BYTES, log: error.message };
}

function runMessages(
  { messages }: LedgerTransaction,
  context: MessageContext,
  events: LedgerEvent[],
): MessageAnswer[] {
  return messages.map((message, index) => {
    const log = new EventLog();
    const sender = message.signers[0];
    log.add('message', {
      action: message.typeUrl,
      ...(sender && { sender: toBech32(sender) }),
      module: message.module,
    });
    try {
      const answer = message.run({ ...context, events: log });
      appendAll(events, ofMessage(log.events, index));
      return answer;
    } catch (error) {
      if (isLedgerError(error))
        error.message = `failed to execute message; message index: ${index}: ${error.message}`;
      throw error;
    }
  });
}
