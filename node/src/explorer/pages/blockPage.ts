import { html } from '@chain/platform/pages';
import { pageFailure } from '../chain/pageFailure.ts';
import type { RpcBlock, RpcTransaction } from '../chain/rpcObjects.ts';
import { addressLink, blockLink, transactionLink } from '../format/links.ts';
import { grouped, gwei, percent, tokens } from '../format/numbers.ts';
import { facts, table } from '../format/tables.ts';
import { timeOf } from '../format/times.ts';
import type { Page } from '../server/pageRequest.ts';
import { methodCell } from './transactionCells.ts';

const PAGE_SIZE = 100;

/** A block by number or hash, and its transactions, a hundred a page. */
export const blockPage: Page = async ({ param, query, rpc, abis, now }) => {
  const block = await findBlock(param('block'), rpc);
  const number = Number(block.number);
  const start = Math.max(0, Number.parseInt(query.get('from') ?? '0', 10) || 0);
  const shown = (block.transactions as readonly RpcTransaction[]).slice(start, start + PAGE_SIZE);
  const count = block.transactions.length;
  const used = BigInt(block.gasUsed);
  const rows: Parameters<typeof facts>[0] = [
    ['Time', timeOf(Number(block.timestamp))],
    ['Hash', html`<span class="hex">${block.hash}</span>`],
    ['Parent', html`${blockLink(number - 1)} <span class="hex">${block.parentHash}</span>`],
    ['State', html`<span class="hex">${block.stateRoot}</span>`],
    ['Proposer', addressLink(block.miner)],
    [
      'Gas used',
      `${grouped(used)} of ${grouped(BigInt(block.gasLimit))} (${percent(used, BigInt(block.gasLimit))})`,
    ],
    ['Base fee', gwei(block.baseFeePerGas ?? '0x0')],
    ['Size', `${grouped(BigInt(block.size))} bytes`],
  ];
  const body = html`<h1>Block ${number}</h1>
<p class="steps"><a href="/block/${number - 1}" rel="prev">← ${number - 1}</a> <a href="/block/${number + 1}" rel="next">${number + 1} →</a></p>
${facts(rows)}<h2>${count} ${count === 1 ? 'transaction' : 'transactions'}</h2>
${table(
  `Transactions of block ${number}`,
  [
    { title: 'Transaction' },
    { title: 'Method' },
    { title: 'From' },
    { title: 'To' },
    { title: 'Value', isNumber: true },
    { title: 'Gas limit', isNumber: true },
  ],
  shown.map((one) => [
    transactionLink(one.hash),
    methodCell(one, abis),
    addressLink(one.from),
    addressLink(one.to),
    tokens(one.value),
    grouped(BigInt(one.gas)),
  ]),
  'This block has no EVM transaction.',
)}${start + PAGE_SIZE < count && html`<p><a href="/block/${number}?from=${start + PAGE_SIZE}">Next transactions</a></p>`}`;
  return { title: `Block ${number}`, body };

  async function findBlock(text: string, reader: typeof rpc): Promise<RpcBlock> {
    const isHash = /^0x[0-9a-f]{64}$/i.test(text);
    if (!isHash && !/^\d{1,15}$/.test(text))
      throw pageFailure(404, `${text.slice(0, 80)} is no block number or hash.`);
    const found = isHash
      ? await reader.try<RpcBlock | null>('eth_getBlockByHash', text, true)
      : await reader.try<RpcBlock | null>('eth_getBlockByNumber', `0x${Number(text).toString(16)}`, true);
    if ('error' in found) throw pageFailure(404, found.error.message);
    if (found.result) return found.result;
    throw pageFailure(
      404,
      `There is no block ${text} yet. This was checked at ${new Date(now).toISOString()}.`,
    );
  }
};
