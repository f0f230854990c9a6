import { isCodedError } from '@chain/platform';
import type { Upstream } from './cometDeps.ts';
import type { CometMethod } from './cometMethod.ts';
import type { Json } from './json/values.ts';
import { rpcFailure } from './rpcFailure.ts';

/**
 * What CometBFT knows and this node does not, or knows second-hand: peers, rounds, its store of blocks, commits,
 * evidence. All else (transactions and their index, queries, subscriptions) is this node's on both engines.
 */
const THEIRS: ReadonlySet<string> = new Set([
  'status',
  'net_info',
  'dump_consensus_state',
  'consensus_state',
  'consensus_params',
  'validators',
  'block',
  'block_by_hash',
  'block_results',
  'blockchain',
  'commit',
  'header',
  'header_by_hash',
  'broadcast_evidence',
]);

/** Methods whose bytes CometBFT takes as base64 are the same as those it takes as hex, but for this one. */
const HEX_PARAMETERS: ReadonlySet<string> = new Set(['header_by_hash']);

/** The table with CometBFT's own answers where it is the one that knows. */
export function withUpstream(methods: readonly CometMethod[], upstream: Upstream): CometMethod[] {
  return methods.map((method) =>
    THEIRS.has(method.name)
      ? { ...method, handle: (params) => forward(method.name, params, upstream) }
      : method,
  );
}

async function forward(
  method: string,
  params: Readonly<Record<string, unknown>>,
  upstream: Upstream,
): Promise<Json> {
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  const encoding = HEX_PARAMETERS.has(method) ? 'hex' : 'base64';
  const written = Object.fromEntries(given.map(([name, value]) => [name, toWire(value, encoding)]));
  try {
    return (await upstream.call(method, written)) as Json;
  } catch (error) {
    throw isCodedError(error) ? rpcFailure(error.message) : error;
  }
}

function toWire(value: unknown, encoding: 'hex' | 'base64'): unknown {
  if (typeof value === 'number') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString(encoding);
  return value;
}
