import { type Html, html } from '@chain/platform/pages';
import type { AbiBook } from '../abi/abiBook.ts';
import { decodedLine } from '../abi/decodedView.ts';
import type { CallFrame } from '../chain/rpcObjects.ts';
import { type FlameFrame, flameGraph } from '../charts/flame.ts';
import { addressLink } from '../format/links.ts';
import { grouped, tokens } from '../format/numbers.ts';
import { table } from '../format/tables.ts';
import type { Page } from '../server/pageRequest.ts';
import { findTransaction, transactionTabs } from './transactionPage.ts';

/** Deeper or wider trees are cut. */
const MAX_FRAMES = 1000;
const MAX_LINE = 300;

/** The calls of a transaction as a tree, their gas as a flame graph. */
export const callsPage: Page = async ({ param, rpc, abis }) => {
  const { hash } = await findTransaction(rpc, param('hash'));
  const root = await rpc.get<CallFrame>('debug_traceTransaction', hash, { tracer: 'callTracer' });
  const { frames, isCut } = listFrames(root);
  const flame = flameOf(frames, abis);
  const body = html`<h1>Calls and gas</h1><p class="hex whole">${hash}</p>${transactionTabs(hash, 'calls')}
<p>${frames.length} ${frames.length === 1 ? 'call' : 'calls'}, ${grouped(BigInt(root.gasUsed))} gas. Each bar is as wide as the gas of its call; calls stand below the call that made them.</p>
${flame && flameGraph(flame)}<h2>Call tree</h2>${callTable(frames, abis)}
${isCut && html`<p>The tree has more calls: <code>debug_traceTransaction</code> gives all.</p>`}`;
  return { title: `Calls of ${hash.slice(0, 10)}`, body };
};

interface ListedFrame {
  readonly frame: CallFrame;
  readonly depth: number;
  /** Index of the frame that made it; −1 of the first. */
  readonly parent: number;
}

/** Frames in the order in which they began. */
function listFrames(root: CallFrame): { readonly frames: readonly ListedFrame[]; readonly isCut: boolean } {
  const frames: ListedFrame[] = [];
  const waiting: ListedFrame[] = [{ frame: root, depth: 0, parent: -1 }];
  for (let one = waiting.pop(); one; one = waiting.pop()) {
    if (frames.length === MAX_FRAMES) return { frames, isCut: true };
    const index = frames.push(one) - 1;
    for (const frame of (one.frame.calls ?? []).toReversed()) {
      waiting.push({ frame, depth: one.depth + 1, parent: index });
    }
  }
  return { frames, isCut: false };
}

interface Made extends FlameFrame {
  readonly children: FlameFrame[];
}

function flameOf(frames: readonly ListedFrame[], abis: AbiBook): FlameFrame | undefined {
  const made: Made[] = [];
  for (const [index, { frame, parent }] of frames.entries()) {
    const one: Made = {
      label: `${nameOf(frame, abis)} ${frame.to ? frame.to.slice(0, 8) : ''}`,
      gas: Number(frame.gasUsed),
      index,
      hue: hueOf(frame),
      children: [],
    };
    made.push(one);
    made[parent]?.children.push(one);
  }
  return made[0];
}

function hueOf({ type, error }: CallFrame): FlameFrame['hue'] {
  if (error !== undefined) return 'failed';
  if (type.startsWith('CREATE')) return 'create';
  if (type === 'STATICCALL') return 'static';
  return type === 'DELEGATECALL' || type === 'CALLCODE' ? 'delegate' : 'call';
}

function nameOf({ type, input }: CallFrame, abis: AbiBook): string {
  if (type.startsWith('CREATE')) return 'create';
  if (input === '0x') return 'transfer';
  return abis.functionName(input) ?? input.slice(0, 10);
}

function callTable(frames: readonly ListedFrame[], abis: AbiBook): Html {
  return table(
    'Call tree',
    [
      { title: 'Call' },
      { title: 'To' },
      { title: 'Value', isNumber: true },
      { title: 'Gas', isNumber: true },
      { title: 'Gas of its own', isNumber: true },
    ],
    frames.map(({ frame, depth }, index) => [
      callCell({ frame, depth, index }, abis),
      addressLink(frame.to),
      frame.value !== undefined && frame.value !== '0x0' && tokens(frame.value),
      grouped(BigInt(frame.gasUsed)),
      grouped(ownGas(frame)),
    ]),
    '',
  );
}

function callCell(
  { frame, depth, index }: { readonly frame: CallFrame; readonly depth: number; readonly index: number },
  abis: AbiBook,
): Html {
  const decoded = frame.type.startsWith('CREATE') ? undefined : abis.call(frame.input);
  const line = (decoded ? decodedLine(decoded) : nameOf(frame, abis)).slice(0, MAX_LINE);
  const failure = frame.error !== undefined && failureText(frame, abis);
  return html`<span id="call-${index}" class="depth-${Math.min(depth, 12)}">${depth > 0 && html`<span class="dim">${depth} </span>`}<span class="tag">${frame.type}</span> <span class="text">${line}</span>${failure && html` <span class="bad">${failure}</span>`}</span>`;
}

function failureText({ error, revertReason, output }: CallFrame, abis: AbiBook): string {
  const decoded = output !== undefined && abis.error(output);
  return decoded ? decodedLine(decoded) : (revertReason ?? error ?? '');
}

/** Without its calls; refunds and the price of a call may leave nothing. */
function ownGas({ gasUsed, calls = [] }: CallFrame): bigint {
  const inner = calls.reduce((sum, call) => sum + BigInt(call.gasUsed), 0n);
  const own = BigInt(gasUsed) - inner;
  return own < 0n ? 0n : own;
}
