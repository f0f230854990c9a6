import { CodedError } from '@chain/platform';
import type { CheckedTransaction } from '../../execution/index.ts';
import type { TransactionResult } from '../../types/index.ts';
import { NO_RESULT } from '../json/resultJson.ts';
import { rpcFailure } from '../rpcFailure.ts';

/** What CheckTx answers: a refusal by the chain's rules is an answer too, one by the mempool is a failure. */
export async function checkResult(
  check: () => CheckedTransaction | Promise<CheckedTransaction>,
): Promise<TransactionResult> {
  try {
    const { gasLimit } = await check();
    return { ...NO_RESULT, gasWanted: gasLimit };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const { abciCode, codespace } = error.fields;
    if (typeof abciCode !== 'number') throw rpcFailure(error.message);
    return { ...NO_RESULT, code: abciCode, codespace: String(codespace ?? 'undefined'), log: error.message };
  }
}
