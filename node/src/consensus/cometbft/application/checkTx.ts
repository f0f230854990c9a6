import { isCodedError } from '@chain/platform';
import { CheckTxType, type RequestCheckTx, type ResponseCheckTx } from 'cosmjs-types/tendermint/abci/types';
import type { RelayedMempool } from '../../../mempool/index.ts';
import { sha256 } from '../../../primitives/index.ts';
import { checkedToWire } from './wire.ts';

/** What the pool refuses has no code in the SDK's tables; any but 0 is a refusal. */
const POOL_REFUSAL = { code: 1, codespace: 'mempool' };

/**
 * CometBFT's pool holds what this node gossips, ours what it would put into a block; the second decides for both.
 * After each block CometBFT asks again for all that it holds: what has left our pool leaves its too.
 */
export async function checkTx({ tx, type }: RequestCheckTx, pool: RelayedMempool): Promise<ResponseCheckTx> {
  if (pool.holds(sha256(tx))) return checkedToWire({});
  if (type === CheckTxType.RECHECK) {
    return checkedToWire({ ...POOL_REFUSAL, log: 'the transaction has left the mempool' });
  }
  try {
    return checkedToWire({ gasWanted: (await pool.admit(tx)).gasLimit });
  } catch (error) {
    if (!isCodedError(error)) throw error;
    // Somebody else has brought it while this check waited for its turn.
    if (error.code === 'MEMPOOL_DUPLICATE') return checkedToWire({});
    const { abciCode, codespace } = error.fields;
    const refusal =
      typeof abciCode === 'number'
        ? { code: abciCode, codespace: String(codespace ?? 'undefined') }
        : POOL_REFUSAL;
    return checkedToWire({ ...refusal, log: error.message });
  }
}
