import { createAddress, deployPointer } from '../evm/index.ts';
import type { LedgerBlock, LedgerOutcome } from '../ledger/index.ts';
import type { BlockContext, Receipt, TransactionResult } from '../types/index.ts';
import type { ReceivedTransaction } from './transaction/receivedTransaction.ts';
import { rejectedResult } from './transaction/rejection.ts';
import type { ExecutedTransaction, RefusedTransaction } from './transaction/runTransaction.ts';
import type { UnplacedReceipt } from './transaction/syntheticReceipt.ts';
import { transactionEvents } from './transaction/transactionEvents.ts';

/** ABCI code of a transaction whose execution failed; it stays in the block and its fees are kept (spec L-8). */
const EVM_REVERTED = { code: 45, codespace: 'evm' } as const;
const SUCCESS = { code: 0, codespace: '' } as const;
const NO_BYTES = new Uint8Array(0);

/** Counts and numbers what a block's transactions leave: results, receipts, gas, logs, fees. */
export class BlockResultsBuilder {
  readonly gasLimit: bigint;
  readonly results: TransactionResult[] = [];
  readonly receipts: Receipt[] = [];
  /** Of all transactions, and of those that move the base fee. */
  gasUsed = 0n;
  evmGasUsed = 0n;
  /** Wei, base fees and tips. */
  fees = 0n;
  /** Wei: of the next block, where this one says it. */
  chosenBaseFee: bigint | undefined;
  readonly block: LedgerBlock;
  #logs = 0;

  constructor({ gasLimit, chainId, height, time }: BlockContext, soleValidator?: Uint8Array) {
    this.gasLimit = gasLimit;
    this.block = { chainId, height, time, soleValidator, deployPointer };
  }

  get gasLeft(): bigint {
    return this.gasLimit > this.gasUsed ? this.gasLimit - this.gasUsed : 0n;
  }

  /** Of a ledger transaction that is no EVM transaction and went well. */
  addSuccess(): void {
    this.results.push({ ...SUCCESS, data: NO_BYTES, log: '', gasWanted: 0n, gasUsed: 0n, events: [] });
  }

  addResult(result: TransactionResult): void {
    this.results.push(result);
  }

  /** Of a ledger transaction, which has a result, and a receipt only where pointers tell of it. */
  addLedger({ pointerTransfers: _, ...result }: LedgerOutcome, shell: UnplacedReceipt | undefined): void {
    this.gasUsed += result.gasUsed;
    if (shell) {
      this.receipts.push({ ...shell, ...this.#place() });
      this.#logs += shell.logs.length;
    }
    this.results.push(result);
  }

  add(received: ReceivedTransaction, outcome: ExecutedTransaction | RefusedTransaction): void {
    if (outcome.kind === 'executed') this.#addExecuted(received, outcome);
    else this.#addRefused(received, outcome);
  }

  #addExecuted(received: ReceivedTransaction, outcome: ExecutedTransaction): void {
    const { execution, gasUsed, effectiveGasPrice, signer } = outcome;
    const vmError = vmErrorOf(outcome);
    this.gasUsed += gasUsed;
    this.evmGasUsed += gasUsed;
    this.fees += gasUsed * effectiveGasPrice;
    this.receipts.push({
      ...this.#place(),
      ...kindOf(received),
      from: signer.evmAddress,
      contractAddress: outcome.contractAddress,
      status: execution.error === undefined ? 1 : 0,
      gasUsed,
      effectiveGasPrice,
      logs: execution.logs,
      vmError,
      // What a creation returns is the code it deployed: the state has it.
      returnData: outcome.contractAddress && !vmError ? NO_BYTES : execution.returnData,
    });
    this.#logs += execution.logs.length;
    this.results.push({
      ...(vmError ? EVM_REVERTED : SUCCESS),
      data: NO_BYTES,
      log: vmError && `evm reverted: ${vmError}`,
      gasWanted: received.transaction.gasLimit,
      gasUsed,
      events: [
        ...transactionEvents(received, { signer, newlyAssociated: outcome.newlyAssociated, vmError }),
        ...outcome.ledgerEvents,
      ],
    });
  }

  /** A refused transaction is listed only when it used up its nonce (spec R-7). */
  #addRefused(received: ReceivedTransaction, { rejection, signer, nonceUsed }: RefusedTransaction): void {
    const { gasLimit, to, nonce } = received.transaction;
    const place = { ...this.#place(), ...kindOf(received) };
    this.results.push(rejectedResult(rejection, gasLimit));
    if (!nonceUsed || !signer) return;
    this.receipts.push({
      ...place,
      from: signer.evmAddress,
      contractAddress: to === null ? createAddress(signer.evmAddress, nonce) : null,
      status: 0,
      gasUsed: 0n,
      effectiveGasPrice: 0n,
      logs: [],
      vmError: rejection.message,
      returnData: NO_BYTES,
    });
  }

  #place() {
    return {
      blockNumber: this.block.height,
      ledgerIndex: this.results.length,
      transactionIndex: this.receipts.length,
      cumulativeGasUsed: this.evmGasUsed,
      firstLogIndex: this.#logs,
    };
  }
}

function kindOf({ transaction: { hash, type, to } }: ReceivedTransaction) {
  return { transactionHash: hash, type, to };
}

/** Why the EVM failed, '' when it did not; behind a bar what a precompile had against it (spec L-12). */
function vmErrorOf({ execution: { error }, precompileFailure }: ExecutedTransaction): string {
  if (error === undefined) return '';
  return precompileFailure === undefined ? error : `${error}|${precompileFailure}`;
}
