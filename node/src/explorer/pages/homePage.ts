import { type Html, html } from '@chain/platform/pages';
import type { RpcBlock } from '../chain/rpcObjects.ts';
import type { RpcReader } from '../chain/rpcReader.ts';
import { lineChart } from '../charts/line.ts';
import { addressLink, blockLink, transactionLink } from '../format/links.ts';
import { grouped, gwei, percent, tokens } from '../format/numbers.ts';
import { table } from '../format/tables.ts';
import { agoOf } from '../format/times.ts';
import { type BlockSample, blockSeconds } from '../live/blockSamples.ts';
import type { Page } from '../server/pageRequest.ts';
import { methodCell } from './transactionCells.ts';

const BLOCKS = 12;
const TRANSACTIONS = 12;
/** Transactions are looked for in the newest blocks. */
const MAX_TRANSACTION_BLOCKS = 30;

/** Newest blocks and transactions, and the last hour in pictures. */
export function homePage(samples: () => readonly BlockSample[]): Page {
  return async ({ rpc, abis, now }) => {
    const blocks = await newestBlocks(rpc);
    const transactions = blocks
      .flatMap((block) =>
        block.transactions
          .filter((one) => typeof one !== 'string')
          .toReversed()
          .map((one) => ({ block, one })),
      )
      .slice(0, TRANSACTIONS);
    const body = html`<h1 class="hidden">Newest blocks and transactions</h1>${charts(samples())}
<div class="columns"><section><h2>Blocks</h2>${blocksTable(blocks.slice(0, BLOCKS), now)}</section>
<section><h2>Transactions</h2>${table(
      'Newest transactions',
      [
        { title: 'Transaction' },
        { title: 'Method' },
        { title: 'From' },
        { title: 'To' },
        { title: 'Value', isNumber: true },
      ],
      transactions.map(({ one }) => [
        transactionLink(one.hash),
        methodCell(one, abis),
        addressLink(one.from),
        addressLink(one.to),
        tokens(one.value),
      ]),
      `No transaction in the newest ${MAX_TRANSACTION_BLOCKS} blocks.`,
    )}</section></div>`;
    return { title: 'Explorer', body, live: '/explorer/live' };
  };
}

async function newestBlocks(rpc: RpcReader): Promise<readonly RpcBlock[]> {
  const height = Number(await rpc.get<string>('eth_blockNumber'));
  const blocks: RpcBlock[] = [];
  let transactions = 0;
  for (let i = 0; i < Math.min(MAX_TRANSACTION_BLOCKS, height); i++) {
    const isFull = transactions < TRANSACTIONS;
    if (!isFull && i >= BLOCKS) break;
    const block = await rpc.find<RpcBlock>('eth_getBlockByNumber', `0x${(height - i).toString(16)}`, isFull);
    if (!block) continue;
    blocks.push(block);
    transactions += block.transactions.length;
  }
  return blocks;
}

function blocksTable(blocks: readonly RpcBlock[], now: number): Html {
  return table(
    'Newest blocks',
    [
      { title: 'Block' },
      { title: 'Age' },
      { title: 'Transactions', isNumber: true },
      { title: 'Gas used', isNumber: true },
      { title: 'Base fee', isNumber: true },
    ],
    blocks.map((block) => [
      blockLink(block.number),
      agoOf(Number(block.timestamp), now),
      block.transactions.length,
      html`${grouped(BigInt(block.gasUsed))} <small>${percent(BigInt(block.gasUsed), BigInt(block.gasLimit))}</small>`,
      gwei(block.baseFeePerGas ?? '0x0'),
    ]),
    'No block yet.',
  );
}

function charts(samples: readonly BlockSample[]): Html {
  return html`<section aria-label="The last hour" class="charts">
${lineChart(
  'Gas a block',
  samples.map(({ gasUsed, blocks }) => gasUsed / blocks),
  (gas) => grouped(Math.round(gas)),
)}
${lineChart(
  'Transactions a block',
  samples.map(({ transactions, blocks }) => transactions / blocks),
  (count) => count.toFixed(1),
)}
${lineChart(
  'Base fee',
  samples.map(({ baseFee }) => baseFee),
  (wei) => gwei(BigInt(Math.round(wei))),
)}
${lineChart('Seconds between blocks', finished(samples).map(blockSeconds), (seconds) => `${seconds.toFixed(2)} s`)}
</section>`;
}

/** The newest stretch of time is still under way. */
function finished(samples: readonly BlockSample[]): readonly BlockSample[] {
  return samples.slice(0, -1);
}
