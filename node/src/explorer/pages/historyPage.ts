import { html } from '@chain/platform/pages';
import { accountOf } from '../chain/accounts.ts';
import type { RpcTransaction } from '../chain/rpcObjects.ts';
import { addressLink, blockLink, transactionLink } from '../format/links.ts';
import { tokens } from '../format/numbers.ts';
import { table } from '../format/tables.ts';
import type { Page } from '../server/pageRequest.ts';
import { methodCell } from './transactionCells.ts';

const PAGE_SIZE = 25;

interface HistoryPage {
  readonly txs: readonly RpcTransaction[];
  readonly lastPage: boolean;
}

/** Transactions of an account, found by traces of blocks: as many as the limits of traces allow for one page. */
export const historyPage: Page = async (request) => {
  const { param, query, rpc, abis } = request;
  const { evmAddress } = await accountOf(param('address'), request);
  const before = Math.max(0, Number.parseInt(query.get('before') ?? '0', 10) || 0);
  const { txs, lastPage } = await rpc.get<HistoryPage>(
    'ots_searchTransactionsBefore',
    evmAddress,
    before,
    PAGE_SIZE,
  );
  const last = txs.at(-1)?.blockNumber;
  const body = html`<h1>Transactions</h1><p>of ${addressLink(evmAddress, evmAddress)}</p>${table(
    'Transactions',
    [
      { title: 'Transaction' },
      { title: 'Block' },
      { title: 'Method' },
      { title: 'From' },
      { title: 'To' },
      { title: 'Value', isNumber: true },
    ],
    txs.map((one) => [
      transactionLink(one.hash),
      one.blockNumber !== null && blockLink(one.blockNumber),
      methodCell(one, abis),
      addressLink(one.from),
      addressLink(one.to),
      tokens(one.value),
    ]),
    'None was found in the blocks that were searched.',
  )}${!lastPage && typeof last === 'string' && html`<p><a href="/address/${evmAddress}/transactions?before=${Number(last)}">Older transactions</a></p>`}`;
  return { title: `Transactions of ${evmAddress.slice(0, 10)}`, body };
};
