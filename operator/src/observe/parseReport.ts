import { CodedError, oneLine, parseJson } from '@chain/platform';
import {
  NOT_READY_CODES,
  type NodeReport,
  type NotReady,
  type StateSyncProgress,
} from '@chain/platform/contract';

type Json = Readonly<Record<string, unknown>>;

const NODE_ID = /^[0-9a-f]{40}$/;
const STAGES: readonly unknown[] = ['opening', 'restoring', 'running'] satisfies NodeReport['stage'][];
const WORDS = { release: 64, chainId: 64, mode: 32, backend: 32 } as const;
const SENTENCE = 300;

/**
 * A node's report, of which only members that are known are taken, each within its bounds: the pod runs any image that
 * a spec names. Throws OBSERVE_REPORT for what is none: an older release, or another program.
 */
export function parseReport(body: string, origin: string): NodeReport {
  const given = objectIn(body);
  if (!given || !isWhole(given)) {
    throw new CodedError(
      'OBSERVE_REPORT',
      `${origin} answers with something else than a report; is it chaind 6.5 or newer?`,
      { fields: { origin } },
    );
  }
  const { nodeId, stage, startedAt, height, evmSplit, blockTime } = given;
  const texts = Object.entries(WORDS).map(([name, most]) => [name, word(given[name], most)]);
  return {
    ...(Object.fromEntries(texts) as Pick<NodeReport, keyof typeof WORDS>),
    ...({ nodeId, stage, startedAt, height, evmSplit } as NodeReport),
    moniker: word(given.moniker, 128),
    engine: word(given.engine, 32),
    catchingUp: given.catchingUp === true,
    ...(isTime(blockTime) && { blockTime }),
    ...(isCount(given.peers) && { peers: given.peers }),
    ...stateSyncIn(given.stateSync),
    ...notReadyIn(given.notReady),
    ...floorsIn(given.floors),
    ...signerIn(given.signer),
    ...volumeIn(given.volume),
  };
}

function objectIn(body: string): Json | undefined {
  try {
    return asObject(parseJson(body));
  } catch {
    return undefined;
  }
}

const asObject = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null ? (value as Json) : undefined;
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isTime = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 40 && !Number.isNaN(Date.parse(value));
const word = (value: unknown, most: number): string =>
  typeof value === 'string' ? oneLine(value, most) : '';

function isWhole(given: Json): boolean {
  return (
    Object.keys(WORDS).every((name) => typeof given[name] === 'string') &&
    typeof given.nodeId === 'string' &&
    NODE_ID.test(given.nodeId) &&
    STAGES.includes(given.stage) &&
    isTime(given.startedAt) &&
    isCount(given.height) &&
    typeof given.evmSplit === 'boolean'
  );
}

/** A code of a newer release is none that this one knows: its message stays. */
function notReadyIn(value: unknown): { readonly notReady?: NotReady } {
  const { code, message } = asObject(value) ?? {};
  if (typeof message !== 'string') return {};
  const known = NOT_READY_CODES.find((each) => each === code) ?? 'other';
  return { notReady: { code: known, message: oneLine(message, SENTENCE) } };
}

function stateSyncIn(value: unknown): { readonly stateSync?: StateSyncProgress } {
  const { stage, chunks, chunksTotal, refused } = asObject(value) ?? {};
  if (stage === 'restoring' && isCount(chunks) && isCount(chunksTotal))
    return { stateSync: { stage, chunks, chunksTotal } };
  if (stage !== 'discovering') return {};
  const { height, reason } = asObject(refused) ?? {};
  if (!isCount(height) || typeof reason !== 'string') return { stateSync: { stage } };
  return { stateSync: { stage, refused: { height, reason: oneLine(reason, SENTENCE) } } };
}

function floorsIn(value: unknown): Pick<NodeReport, 'floors'> {
  const { base, evm } = asObject(value) ?? {};
  return isCount(base) ? { floors: { base, ...(isCount(evm) && { evm }) } } : {};
}

function volumeIn(value: unknown): Pick<NodeReport, 'volume'> {
  const { size, free } = asObject(value) ?? {};
  return isCount(size) && isCount(free) ? { volume: { size, free } } : {};
}

function signerIn(value: unknown): Pick<NodeReport, 'signer'> {
  const { address, height, round, step } = asObject(value) ?? {};
  return typeof address === 'string' && NODE_ID.test(address) && [height, round, step].every(isCount)
    ? { signer: { address, height, round, step } as NonNullable<NodeReport['signer']> }
    : {};
}
