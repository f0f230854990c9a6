import { type Html, html } from '@chain/platform/pages';
import { bytesView, decodedLine, decodedView } from '../abi/decodedView.ts';
import { pageFailure } from '../chain/pageFailure.ts';
import type { CallFrame, RpcBlock, RpcLog, RpcReceipt, RpcTransaction } from '../chain/rpcObjects.ts';
import type { RpcReader } from '../chain/rpcReader.ts';
import { addressLink, blockLink } from '../format/links.ts';
import { grouped, gwei, percent, tokens } from '../format/numbers.ts';
import { facts } from '../format/tables.ts';
import { timeOf } from '../format/times.ts';
import type { Page, PageRequest } from '../server/pageRequest.ts';
import { tokenTransfers } from './tokenTransfers.ts';

const MAX_LOGS = 200;

/** Whether `text` can be the hash of a transaction or block. */
export function isHash(text: string): boolean {
  return /^0x[0-9a-f]{64}$/i.test(text);
}

export async function findTransaction(rpc: RpcReader, hash: string): Promise<RpcTransaction> {
  if (!isHash(hash)) throw pageFailure(404, `${hash.slice(0, 80)} is no transaction hash.`);
  const found = await rpc.get<RpcTransaction | null>('eth_getTransactionByHash', hash);
  if (!found) throw pageFailure(404, `This node knows no transaction ${hash}.`);
  return found;
}

/** One transaction: what it did, its input, token transfers and logs. */
export const transactionPage: Page = async (request) => {
  const { param, rpc } = request;
  const transaction = await findTransaction(rpc, param('hash'));
  const { hash, blockNumber } = transaction;
  const [receipt, block] = await Promise.all([
    rpc.find<RpcReceipt>('eth_getTransactionReceipt', hash),
    blockNumber === null ? undefined : rpc.find<RpcBlock>('eth_getHeaderByNumber', blockNumber),
  ]);
  const transfers = receipt && (await tokenTransfers(receipt.logs, request));
  const body = html`<h1>Transaction</h1><p class="hex whole">${hash}</p>${transactionTabs(hash, 'overview')}
${overview(transaction, { receipt, block, reason: await failureOf(request, transaction, receipt) })}
<h2>Input</h2>${inputView(transaction, request)}
${transfers}${receipt && logsView(receipt.logs, request)}`;
  return { title: `Transaction ${hash.slice(0, 10)}`, body };
};

/** Links between the pages of one transaction. */
export function transactionTabs(hash: string, current: 'overview' | 'calls' | 'state' | 'steps'): Html {
  const tabs = [
    ['overview', '', 'Overview'],
    ['calls', '/calls', 'Calls and gas'],
    ['state', '/state', 'State changes'],
    ['steps', '/steps', 'Steps'],
  ] as const;
  return html`<nav class="tabs" aria-label="Transaction">${tabs.map(
    ([id, path, name]) =>
      html`<a href="/tx/${hash}${path}"${id === current && html` aria-current="page"`}>${name}</a>`,
  )}</nav>`;
}

interface Outcome {
  readonly receipt: RpcReceipt | undefined;
  readonly block: RpcBlock | undefined;
  readonly reason: string | undefined;
}

function overview(one: RpcTransaction, { receipt, block, reason }: Outcome): Html {
  const fee = receipt && BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
  return facts([
    ['Status', statusView(receipt, reason)],
    ['Block', one.blockNumber !== null && blockLink(one.blockNumber)],
    ['Time', block && timeOf(Number(block.timestamp))],
    ['From', html`${addressLink(one.from)} <small>nonce ${Number(one.nonce)}</small>`],
    [
      'To',
      receipt?.contractAddress
        ? html`new contract ${addressLink(receipt.contractAddress)}`
        : addressLink(one.to),
    ],
    ['Value', tokens(one.value)],
    ['Fee', fee !== undefined && tokens(fee)],
    [
      'Gas used',
      receipt &&
        `${grouped(BigInt(receipt.gasUsed))} of ${grouped(BigInt(one.gas))} (${percent(BigInt(receipt.gasUsed), BigInt(one.gas))})`,
    ],
    ['Gas price', receipt ? gwei(receipt.effectiveGasPrice) : one.gasPrice && gwei(one.gasPrice)],
    [
      'Highest price',
      one.maxFeePerGas &&
        `${gwei(one.maxFeePerGas)}, of it ${gwei(one.maxPriorityFeePerGas ?? '0x0')} for the proposer`,
    ],
    ['Type', Number(one.type)],
  ]);
}

function statusView(receipt: RpcReceipt | undefined, reason: string | undefined): Html {
  if (!receipt) return html`<b class="warn">pending</b>`;
  if (receipt.status === '0x1') return html`<b class="ok">success</b>`;
  return html`<b class="bad">failed</b>${reason !== undefined && html` <span class="text">${reason}</span>`}`;
}

/** Why it failed, from a trace of its first frame; `undefined` where it did not, or the node cannot trace it. */
async function failureOf(
  { rpc, abis }: PageRequest,
  { hash }: RpcTransaction,
  receipt: RpcReceipt | undefined,
): Promise<string | undefined> {
  if (receipt?.status !== '0x0') return undefined;
  const frame = await rpc.find<CallFrame>('debug_traceTransaction', hash, {
    tracer: 'callTracer',
    tracerConfig: { onlyTopCall: true },
  });
  const decoded = frame?.output && abis.error(frame.output);
  return decoded ? decodedLine(decoded) : (frame?.revertReason ?? frame?.error);
}

function inputView({ to, input }: RpcTransaction, { abis }: PageRequest): Html {
  const decoded = to !== null && abis.call(input);
  return html`${decoded && decodedView(decoded)}${to === null && html`<p>Init code of the new contract.</p>`}${bytesView(input)}`;
}

function logsView(logs: readonly RpcLog[], { abis }: PageRequest): Html | false {
  if (logs.length === 0) return false;
  const items = logs.slice(0, MAX_LOGS).map((log) => {
    const decoded = abis.log(log.topics, log.data);
    return html`<li><p>${Number(log.logIndex)} · ${addressLink(log.address)}</p>${
      decoded
        ? decodedView(decoded)
        : html`<ol class="topics" start="0">${log.topics.map((topic) => html`<li class="hex whole">${topic}</li>`)}</ol>${bytesView(log.data)}`
    }</li>`;
  });
  const more = logs.length - MAX_LOGS;
  return html`<h2>${logs.length} ${logs.length === 1 ? 'log' : 'logs'}</h2><ol class="cards">${items}</ol>${more > 0 && html`<p>${more} more: <code>eth_getTransactionReceipt</code> gives all.</p>`}`;
}
