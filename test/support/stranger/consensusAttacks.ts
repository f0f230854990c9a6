import { concatBytes } from '../../../node/src/primitives/index.ts';
import { groups, nested } from '../determinism/protobufDamage.ts';
import { DIRECT, txRaw } from '../determinism/signLedgerBytes.ts';
import type { Random } from '../random.ts';
import { type Answer, post } from './wire.ts';

const NOTHING = new Uint8Array(0);
const LEVELS = 2400;

/** Attacks on the consensus RPC; each is one request and its answer. */
export function consensusAttacks(url: string, random: Random): Record<string, () => Promise<Answer>> {
  const ask = (method: string, params: object) =>
    post(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const broadcast = (raw: Uint8Array) =>
    ask('broadcast_tx_sync', { tx: Buffer.from(raw).toString('base64') });
  return {
    'modes nested beside a mode': () => {
      const authInfo = nested([2, 2], 2 * LEVELS, random.pick([DIRECT, NOTHING]));
      return broadcast(txRaw({ body: NOTHING, authInfo: concatBytes(DIRECT, authInfo) }));
    },
    'groups without end': () => broadcast(groups(random.pick([1, 2, 1_031]), 50_000, random.below(2) === 0)),
    'bytes by chance': () => broadcast(Uint8Array.from({ length: 500 }, () => random.below(256))),
    'calls of JSON without end': () => post(url, `{"params":${'['.repeat(9000)}${']'.repeat(9000)}}`),
    'calls as text': () =>
      post(url, '{"jsonrpc":"2.0","id":1,"method":"status"}', {
        'content-type': 'text/plain',
        origin: 'https://evil.example',
      }),
    'searches without end': () =>
      ask('tx_search', { query: Array.from({ length: 400 }, (_, i) => `a.b${i}='x'`).join(' AND ') }),
    'heights that are none': () =>
      ask('block_results', { height: random.pick(['-1', '9'.repeat(80), '1e9']) }),
  };
}
