import { type Html, html } from '@chain/platform/pages';
import type { PrestateAccount, PrestateDiff } from '../chain/rpcObjects.ts';
import { addressLink } from '../format/links.ts';
import { scaled, tokens } from '../format/numbers.ts';
import { type Cell, table } from '../format/tables.ts';
import type { Page } from '../server/pageRequest.ts';
import { findTransaction, transactionTabs } from './transactionPage.ts';

const MAX_ACCOUNTS = 200;
const MAX_SLOTS = 500;
const ZERO = `0x${'0'.repeat(64)}`;

/** What a transaction changed: balances, nonces, code and slots, before and after. */
export const statePage: Page = async ({ param, rpc }) => {
  const { hash } = await findTransaction(rpc, param('hash'));
  const diff = await rpc.get<PrestateDiff>('debug_traceTransaction', hash, {
    tracer: 'prestateTracer',
    tracerConfig: { diffMode: true },
  });
  const addresses = [...new Set([...Object.keys(diff.pre), ...Object.keys(diff.post)])];
  const accounts = addresses.slice(0, MAX_ACCOUNTS).map((address) => {
    const isGone = !(address in diff.post);
    return accountView(address, diff.pre[address] ?? {}, isGone ? undefined : diff.post[address]);
  });
  const more = addresses.length - MAX_ACCOUNTS;
  const body = html`<h1>State changes</h1><p class="hex whole">${hash}</p>${transactionTabs(hash, 'state')}
${accounts}${more > 0 && html`<p>${more} more accounts: the <code>prestateTracer</code> of <code>debug_traceTransaction</code> gives all.</p>`}`;
  return { title: `State changes of ${hash.slice(0, 10)}`, body };
};

/** `post` has only what changed; without it the account was deleted. */
function accountView(address: string, pre: PrestateAccount, post: PrestateAccount | undefined): Html {
  const rows: Cell[][] = [];
  if (post === undefined) rows.push(['Account', 'there', 'deleted', '']);
  if (post?.balance !== undefined) {
    const [before, after] = [BigInt(pre.balance ?? '0x0'), BigInt(post.balance)];
    rows.push(['Balance', tokens(before), tokens(after), scaledChange(after - before)]);
  }
  if (post?.nonce !== undefined) rows.push(['Nonce', pre.nonce ?? 0, post.nonce, '']);
  if (post?.code !== undefined) rows.push(['Code', bytesOf(pre.code), bytesOf(post.code), '']);
  rows.push(...slotRows(pre.storage ?? {}, post?.storage ?? {}, post === undefined));
  return html`<h2>${addressLink(address)}</h2>${table(
    `Changes of ${address}`,
    [{ title: 'What' }, { title: 'Before' }, { title: 'After' }, { title: 'Change', isNumber: true }],
    rows,
    'Read, not changed.',
  )}`;
}

type Slots = Readonly<Record<string, string>>;

/** A slot that `post` lacks became zero. */
function slotRows(pre: Slots, post: Slots, isDeleted: boolean): Cell[][] {
  if (isDeleted) return [];
  const slots = [...new Set([...Object.keys(pre), ...Object.keys(post)])].slice(0, MAX_SLOTS);
  return slots.map((slot) => [
    html`slot <span class="hex word">${slot}</span>`,
    html`<span class="hex word">${pre[slot] ?? ZERO}</span>`,
    html`<span class="hex word">${post[slot] ?? ZERO}</span>`,
    '',
  ]);
}

function scaledChange(wei: bigint): string {
  return `${wei > 0n ? '+' : ''}${scaled(wei, 18)}`;
}

function bytesOf(code: string | undefined): string {
  return code === undefined ? 'none' : `${(code.length - 2) / 2} bytes`;
}
