import type { TracedFrame, TracedLog, TracedOutcome, TracedTransaction } from '../evm/index.ts';
import { toHexData, toHexQuantity } from '../primitives/index.ts';
import { type CallFrame, type CallLog, closeFrame, dropFailedLogs, openFrame } from './callFrames.ts';
import { flags } from './flags.ts';
import { type Tracer, tracingFailed } from './tracer.ts';

/** The tree of calls: `onlyTopCall` without its branches, `withLog` with the logs in place. */
export class CallTracer implements Tracer {
  readonly #options: { readonly onlyTopCall: boolean; readonly withLog: boolean };
  readonly #open: CallFrame[] = [];
  #depth = 0;
  #gasLimit = 0n;
  #top: CallFrame | undefined;

  constructor(config: unknown) {
    this.#options = flags(config, 'onlyTopCall', 'withLog');
  }

  onStart({ gasLimit }: TracedTransaction): void {
    this.#gasLimit = gasLimit;
  }

  onEnter(frame: TracedFrame): void {
    this.#depth = frame.depth;
    if (this.#options.onlyTopCall && frame.depth > 0) return;
    const opened = openFrame(frame);
    if (frame.depth === 0) {
      opened.gas = this.#gasLimit;
      this.#top = opened;
    }
    this.#open.push(opened);
  }

  onExit(outcome: TracedOutcome): void {
    this.#depth = outcome.depth - 1;
    if (this.#options.onlyTopCall && outcome.depth > 0) return;
    const frame = this.#open.pop();
    if (!frame) return;
    closeFrame(frame, outcome);
    this.#open.at(-1)?.calls.push(frame);
  }

  onLog({ address, topics, data }: TracedLog): void {
    if (!this.#options.withLog || (this.#options.onlyTopCall && this.#depth > 0)) return;
    const frame = this.#open.at(-1);
    frame?.logs.push({ address, topics, data, position: frame.calls.length });
  }

  onEnd({ gasUsed }: { readonly gasUsed: bigint }): void {
    if (!this.#top) return;
    this.#top.gasUsed = gasUsed;
    if (this.#options.withLog) dropFailedLogs(this.#top);
  }

  /** The transaction's own frame. */
  get top(): CallFrame {
    if (!this.#top) throw tracingFailed('incorrect number of top-level calls');
    return this.#top;
  }

  /** The frame that is open now, if any. */
  get current(): CallFrame | undefined {
    return this.#open.at(-1);
  }

  result(): string {
    return frameJson(this.top);
  }
}

function frameJson(frame: CallFrame): string {
  const { to, error, revertReason, value } = frame;
  const members = [
    `"from":"${toHexData(frame.from)}"`,
    `"gas":"${toHexQuantity(frame.gas)}"`,
    `"gasUsed":"${toHexQuantity(frame.gasUsed)}"`,
    to && `"to":"${toHexData(to)}"`,
    `"input":"${toHexData(frame.input)}"`,
    frame.output.length > 0 && `"output":"${toHexData(frame.output)}"`,
    error !== undefined && `"error":${JSON.stringify(error)}`,
    revertReason && `"revertReason":${JSON.stringify(revertReason)}`,
    frame.calls.length > 0 && `"calls":[${frame.calls.map(frameJson).join(',')}]`,
    frame.logs.length > 0 && `"logs":[${frame.logs.map(logJson).join(',')}]`,
    value !== undefined && `"value":"${toHexQuantity(value)}"`,
    `"type":"${frame.kind}"`,
  ];
  return `{${members.filter((member) => typeof member === 'string' && member !== '').join(',')}}`;
}

function logJson({ address, topics, data, position }: CallLog): string {
  return JSON.stringify({
    address: toHexData(address),
    topics: topics.map((topic) => toHexData(topic)),
    data: toHexData(data),
    position: toHexQuantity(position),
  });
}
