import { jobKind, jsonBytes } from './jobKind.ts';
import { type ReplayedBlock, resultsOf } from './traceJobs.ts';

/** A frame as `callTracer` shows it. */
interface Frame {
  readonly type: string;
  readonly from: string;
  readonly to?: string;
  readonly value?: string;
  readonly input: string;
  readonly output?: string;
  readonly error?: string;
  readonly calls?: readonly Frame[];
}

interface Placed {
  readonly frame: Frame;
  readonly depth: number;
}

/** Kinds of internal operations, as Otterscan numbers them. */
const OPERATION = { transfer: 0, destruction: 1, create: 2, create2: 3 } as const;

/** The calls of one transaction as a list with depths, in Otterscan's form, as JSON. */
export const treeListJob = jobKind({
  group: 'trace',
  heavy: true,
  run: async (params: ReplayedBlock, scope) => {
    const [top] = await treesOf(params, scope);
    return jsonBytes(JSON.stringify(placed(top!.frame).map(treeEntry)));
  },
});

/** What one transaction moved by internal calls that were not undone, in Otterscan's form, as JSON. */
export const operationsJob = jobKind({
  group: 'trace',
  heavy: true,
  run: async (params: ReplayedBlock, scope) => {
    const [top] = await treesOf(params, scope);
    const inner = placed(top!.frame, (frame) => frame.error === undefined).filter(({ depth }) => depth > 0);
    return jsonBytes(JSON.stringify(inner.flatMap(({ frame }) => operationOf(frame) ?? [])));
  },
});

/** The hashes of the transactions in whose calls an address (hex, lower case) has a part. */
export const appearancesJob = jobKind({
  group: 'trace',
  heavy: true,
  run: async ({ address, ...params }: ReplayedBlock & { readonly address: string }, scope) => {
    const trees = await treesOf(params, scope);
    return trees
      .filter(({ frame }) =>
        placed(frame).some(({ frame: { from, to } }) => from === address || to === address),
      )
      .map(({ transactionHash }) => transactionHash);
  },
});

/** Which transaction created a contract (hex, lower case), and who within it; absent when none of them did. */
export const creationJob = jobKind({
  group: 'trace',
  heavy: true,
  run: async ({ address, ...params }: ReplayedBlock & { readonly address: string }, scope) => {
    for (const { frame, transactionHash } of await treesOf(params, scope)) {
      const lasting = placed(frame, ({ error }) => error === undefined);
      const creation = lasting.find(({ frame: { type, to } }) => type.startsWith('CREATE') && to === address);
      if (creation) return { transactionHash, creator: creation.frame.from };
    }
    return undefined;
  },
});

async function treesOf(params: ReplayedBlock, scope: Parameters<typeof resultsOf>[1]) {
  const results = await resultsOf(params, scope);
  return results.map(({ result, transactionHash }) => ({
    frame: JSON.parse(result) as Frame,
    transactionHash,
  }));
}

/** The frames in the order in which they began; what is within one that is not `kept` is left out with it. */
function placed(top: Frame, kept: (frame: Frame) => boolean = () => true): Placed[] {
  const found: Placed[] = [];
  const waiting: Placed[] = [{ frame: top, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (!kept(next.frame)) continue;
    found.push(next);
    const depth = next.depth + 1;
    for (const frame of next.frame.calls?.toReversed() ?? []) waiting.push({ frame, depth });
  }
  return found;
}

function treeEntry({ frame, depth }: Placed) {
  const { type, from, to = null, input, output = '0x' } = frame;
  // Such calls move no value of their own.
  const value = type === 'STATICCALL' || type === 'DELEGATECALL' ? null : (frame.value ?? null);
  return { type, depth, from, to, value, input, output };
}

function operationOf({ type, from, to, value = '0x0' }: Frame) {
  if (type === 'CALL') return value === '0x0' ? undefined : { type: OPERATION.transfer, from, to, value };
  if (type === 'SELFDESTRUCT') return { type: OPERATION.destruction, from, to, value };
  if (type === 'CREATE') return { type: OPERATION.create, from, to, value };
  return type === 'CREATE2' ? { type: OPERATION.create2, from, to, value } : undefined;
}
