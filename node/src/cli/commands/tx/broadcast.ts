import type { LedgerClient } from '../../../client/index.ts';
import { printFields, printJson } from '../../print.ts';
import type { TxFlags } from './txFlags.ts';

/** Sends a raw transaction as far as `--broadcast-mode` wants, and prints what became of it; a failure is exit code 1. */
export async function broadcast(
  raw: Uint8Array,
  client: LedgerClient,
  { broadcastMode: mode, output }: Pick<TxFlags, 'broadcastMode' | 'output'>,
): Promise<void> {
  const { txhash, code, codespace, log } = await client.broadcast(raw, mode === 'async' ? 'async' : 'sync');
  if (code !== 0 || mode !== 'commit') {
    const outcome = { txhash, code, codespace, raw_log: log };
    if (output === 'json') printJson(outcome);
    else printFields({ hash: txhash, result: resultText(outcome, 'accepted by CheckTx', mode) }, 'text');
    if (code !== 0) process.exitCode = 1;
    return;
  }
  const found = await client.inclusion(txhash);
  if (output === 'json') printJson(found);
  else {
    const { height, gas_used: used, gas_wanted: wanted } = found;
    printFields(
      { hash: txhash, height, gas: `${used} of ${wanted}`, result: resultText(found, 'success', mode) },
      'text',
    );
  }
  if (found.code !== 0) process.exitCode = 1;
}

interface Outcome {
  readonly txhash: string;
  readonly code: number;
  readonly codespace: string;
  readonly raw_log: string;
}

function resultText({ txhash, code, codespace, raw_log: log }: Outcome, good: string, mode: string): string {
  if (code !== 0) return `refused with code ${code} of ${codespace}: ${log}`;
  return mode === 'commit' ? good : `${mode === 'async' ? 'sent' : good}; see "chaind query tx ${txhash}"`;
}
