import { html } from '@chain/platform/pages';
import { grouped } from '../format/numbers.ts';
import { table } from '../format/tables.ts';
import type { Page } from '../server/pageRequest.ts';
import { findTransaction, transactionTabs } from './transactionPage.ts';

const PAGE_SIZE = 50;
/** Of a trace, which ends there; some tens of thousands of steps. */
const MAX_TRACE_BYTES = 3_000_000;
const SHOWN_WORDS = 4;

interface Step {
  readonly pc: number;
  readonly op: string;
  readonly gas: number;
  readonly gasCost: number;
  readonly depth: number;
  readonly stack?: readonly string[];
  readonly error?: string;
}

/** The opcodes of a transaction, fifty a page, with the top of the stack before each. */
export const stepsPage: Page = async ({ param, query, rpc }) => {
  const { hash } = await findTransaction(rpc, param('hash'));
  const asked = Number.parseInt(query.get('from') ?? '0', 10) || 0;
  const from = Math.max(0, asked);
  const { structLogs } = await rpc.get<{ readonly structLogs: readonly Step[] }>(
    'debug_traceTransaction',
    hash,
    {
      limit: MAX_TRACE_BYTES,
      disableStorage: true,
      enableMemory: false,
    },
  );
  const shown = structLogs.slice(from, from + PAGE_SIZE);
  const hasMore = structLogs.length > from + PAGE_SIZE;
  const link = (start: number, text: string) => html`<a href="/tx/${hash}/steps?from=${start}">${text}</a> `;
  const body = html`<h1>Steps</h1><p class="hex whole">${hash}</p>${transactionTabs(hash, 'steps')}
<p class="steps">${from > 0 && link(Math.max(0, from - PAGE_SIZE), '← earlier')}${hasMore && link(from + PAGE_SIZE, 'later →')}</p>
${table(
  'Steps',
  [
    { title: 'Step', isNumber: true },
    { title: 'Depth', isNumber: true },
    { title: 'PC', isNumber: true },
    { title: 'Opcode' },
    { title: 'Gas left', isNumber: true },
    { title: 'Cost', isNumber: true },
    { title: 'Top of the stack' },
  ],
  shown.map((step, i) => [
    from + i,
    step.depth,
    step.pc,
    html`<code>${step.op}</code>${step.error !== undefined && html` <b class="bad">${step.error}</b>`}`,
    grouped(step.gas),
    grouped(step.gasCost),
    html`<span class="hex word">${(step.stack ?? []).slice(-SHOWN_WORDS).toReversed().join(' ')}</span>`,
  ]),
  'No step here: a plain transfer runs no code, and a long trace is cut.',
)}`;
  return { title: `Steps of ${hash.slice(0, 10)}`, body };
};
