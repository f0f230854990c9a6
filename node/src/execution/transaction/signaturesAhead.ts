import { forkAt } from '../../evm/index.ts';
import { signatureQuestions } from '../../ledger/index.ts';
import type { SignatureQuestion, Signatures } from '../../signatures/index.ts';
import type { StateReads } from '../../state/view/index.ts';
import type { BlockContext } from '../../types/index.ts';
import { readMinimumFee } from '../feeMarket/feeParameters.ts';
import { checkFeeCap, checkProtection, checkShape } from './admission.ts';
import type { CheckOptions } from './checkLedgerTransaction.ts';
import type { Received, ReceivedTransaction } from './receivedTransaction.ts';
import type { TransactionCache } from './transactionCache.ts';

/** Where CheckTx stands: the newest state, and the block to come. */
export interface CheckPlace {
  readonly state: StateReads;
  readonly context: BlockContext;
}

interface AheadParts {
  readonly signatures: Signatures | undefined;
  readonly transactions: TransactionCache;
  readonly checks: CheckOptions;
}

/** The curve's work of transactions, asked for before they are checked or read: it costs most of all that they cost. */
export class SignaturesAhead {
  readonly #parts: AheadParts;

  constructor(parts: AheadParts) {
    this.#parts = parts;
  }

  /** Whether there is somebody to ask. */
  get isBeside(): boolean {
    return this.#parts.signatures !== undefined;
  }

  /** Of CheckTx. `undefined` when nothing is asked: then the check may follow at once. */
  ofCheck(raw: Uint8Array, place: CheckPlace): Promise<void> | undefined {
    return this.#ask([raw], (each) => this.#questionsOfCheck(each, place));
  }

  /** Of reading these, which tells who signed. */
  ofReading(txs: readonly Uint8Array[]): Promise<void> | undefined {
    return this.#ask(txs, (raw) => {
      const received = this.#parts.transactions.receive(raw);
      return received.kind === 'evm' ? evmQuestion(received) : [];
    });
  }

  /** Of a block on this state: the transactions, decoded as far as they can be, and when the answers are there. */
  ofBlock(
    txs: readonly Uint8Array[],
    state: StateReads,
    chainId: string,
  ): { readonly received: (Received | undefined)[]; readonly ready: Promise<void> | undefined } {
    const received: (Received | undefined)[] = [];
    const ready = this.#ask(txs, (raw) => {
      received.push(undefined);
      const each = this.#parts.transactions.receive(raw);
      received[received.length - 1] = each;
      if (each.kind === 'evm') return evmQuestion(each);
      // What CheckTx has verified needs no more reads.
      const { memory, signers } = each.transaction;
      return memory.verified.size < signers.length
        ? signatureQuestions(each.transaction, state, chainId)
        : [];
    });
    return { received, ready };
  }

  #ask(
    txs: readonly Uint8Array[],
    questionsOf: (raw: Uint8Array) => readonly SignatureQuestion[],
  ): Promise<void> | undefined {
    const { signatures } = this.#parts;
    if (!signatures) return undefined;
    const questions: SignatureQuestion[] = [];
    for (const raw of txs) {
      try {
        for (const question of questionsOf(raw)) questions.push(question);
      } catch {
        // Whatever it is, the check or the reading behind this meets it again, and says it to whom it concerns.
      }
    }
    return questions.length === 0 ? undefined : signatures.ask(questions);
  }

  /** None for what is refused for less: whoever makes the curve work has passed all that comes before. */
  #questionsOfCheck(raw: Uint8Array, place: CheckPlace): readonly SignatureQuestion[] {
    const received = this.#parts.transactions.receive(raw);
    if (received.kind === 'ledger') {
      return signatureQuestions(received.transaction, place.state, place.context.chainId);
    }
    const question = received.signatureQuestion;
    if (!question) return [];
    checkBeforeSigner(received, place, this.#parts.checks);
    return [question];
  }
}

function evmQuestion({ signatureQuestion: question }: ReceivedTransaction): readonly SignatureQuestion[] {
  return question ? [question] : [];
}

/** CheckTx as far as it goes without the signer. Throws a rejection. */
export function checkBeforeSigner(
  { transaction }: ReceivedTransaction,
  { state, context }: CheckPlace,
  options: CheckOptions,
): void {
  checkProtection(transaction, options.allowUnprotected);
  checkShape(transaction, { ...context, fork: forkAt(state, context.height) });
  // Before the signer is known: recovery costs as much as all the rest.
  checkFeeCap(transaction, { baseFee: context.baseFee, minimumFee: readMinimumFee(state) });
}
