import { html } from '@chain/platform/pages';
import type { RpcTransaction } from '../chain/rpcObjects.ts';
import { addressLink, transactionLink } from '../format/links.ts';
import { gwei, tokens } from '../format/numbers.ts';
import { table } from '../format/tables.ts';
import type { Page } from '../server/pageRequest.ts';
import { methodCell } from './transactionCells.ts';

type BySender = Readonly<Record<string, Readonly<Record<string, RpcTransaction>>>>;

const MAX_ROWS = 200;
const GROUPS = [
  ['pending', 'Ready for a block'],
  ['queued', 'Waiting for an earlier nonce'],
] as const;

/** What waits for a block. */
export const mempoolPage: Page = async ({ rpc, abis }) => {
  const content = await rpc.get<Readonly<Record<'pending' | 'queued', BySender>>>('txpool_content');
  const parts = GROUPS.map(([group, title]) => {
    const all = Object.values(content[group]).flatMap((ofSender) => Object.values(ofSender));
    return html`<h2>${title}: ${all.length}</h2>${table(
      title,
      [
        { title: 'Transaction' },
        { title: 'From' },
        { title: 'Nonce', isNumber: true },
        { title: 'Method' },
        { title: 'To' },
        { title: 'Value', isNumber: true },
        { title: 'Price', isNumber: true },
      ],
      all
        .slice(0, MAX_ROWS)
        .map((one) => [
          transactionLink(one.hash),
          addressLink(one.from),
          Number(one.nonce),
          methodCell(one, abis),
          addressLink(one.to),
          tokens(one.value),
          gwei(one.maxFeePerGas ?? one.gasPrice ?? '0x0'),
        ]),
      'None.',
    )}${all.length > MAX_ROWS && html`<p>The first ${MAX_ROWS} are shown.</p>`}`;
  });
  return { title: 'Mempool', body: html`<h1>Mempool</h1>${parts}` };
};
