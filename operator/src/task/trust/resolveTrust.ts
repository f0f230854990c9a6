import { messageOf } from '@chain/platform';
import type { MigrationReason } from '../../api/index.ts';
import type { TrustPoint, TrustView } from '../../plan/index.ts';
import { type ConsensusRpc, consensusRpc, type ServerStatus } from './consensusRpc.ts';

export interface TrustWish {
  readonly chainId: string;
  readonly rpcServers: readonly string[];
  readonly heightDelta: number;
  /** Rounds the height down to a multiple; 0 does not. */
  readonly roundTo: number;
  readonly minAgreeing: number;
  readonly maxServerLagMs: number;
  readonly periodMs: number;
  /** The node that migrates cannot vouch for itself. */
  readonly ownId?: string;
  /** Waits until a server may be asked; at once, when left out. */
  readonly inSlot?: <T>(call: () => Promise<T>) => Promise<T>;
}

interface Asked {
  readonly url: string;
  readonly rpc: ConsensusRpc;
  readonly status?: ServerStatus;
  readonly reason?: MigrationReason;
  readonly problem?: string;
}

const TIMEOUT_MS = 10_000;
/** The light client still needs the header when the snapshot has been fetched. */
const PERIOD_MARGIN = 0.9;

/**
 * The newest height that all fit servers have, minus the delta, but no lower than any one's earliest block. So many
 * distinct servers as asked for must say the same hash; one that says another refuses it.
 */
export async function resolveTrust(wish: TrustWish, now: number): Promise<TrustView> {
  const asked = await Promise.all(wish.rpcServers.map((url) => ask(url, wish, now)));
  const fit = distinct(
    asked.filter(
      (server): server is Required<Pick<Asked, 'status'>> & Asked =>
        server.status !== undefined && server.problem === undefined,
    ),
  );
  if (fit.length < wish.minAgreeing) return refusal(asked, wish.minAgreeing);
  const latest = Math.min(...fit.map(({ status }) => status.latest));
  const earliest = Math.max(1, ...fit.map(({ status }) => status.earliest));
  const lowered = Math.max(latest - wish.heightDelta, 1);
  const rounded = wish.roundTo > 1 ? lowered - (lowered % wish.roundTo) : lowered;
  const height = Math.max(rounded, earliest);
  if (height > latest) {
    return {
      reason: 'TrustUnreachable',
      problem: `the servers have no block in common: one begins at ${earliest}, another ends at ${latest}`,
    };
  }
  return agreeOn(height, fit, { wish, now, asked });
}

type Fit = Asked & { readonly status: ServerStatus };

async function agreeOn(
  height: number,
  fit: readonly Fit[],
  { wish, now, asked }: { readonly wish: TrustWish; readonly now: number; readonly asked: readonly Asked[] },
): Promise<TrustView> {
  const blocks = await Promise.all(fit.map(({ rpc }) => rpc.block(height).catch(() => undefined)));
  const answered = fit.flatMap(({ url }, i) => (blocks[i] ? [{ url, ...blocks[i] }] : []));
  const [first] = answered;
  if (first === undefined || answered.length < wish.minAgreeing) {
    return {
      reason: 'TrustUnreachable',
      problem: `${answered.length} of ${fit.length} servers give block ${height}, and ${wish.minAgreeing} must agree on it`,
    };
  }
  if (answered.some(({ hash }) => hash !== first.hash)) {
    const said = answered.map(({ url, hash }) => `${url}: ${hash}`).join(', ');
    return {
      reason: 'TrustDisagrees',
      problem: `the servers do not agree on block ${height} (${said}); find out which chain is yours before anything else`,
    };
  }
  if (now - first.time > wish.periodMs * PERIOD_MARGIN) {
    return {
      reason: 'TrustStale',
      problem: `block ${height} is older than the trust period; choose a smaller stateSync.trust.heightDelta`,
    };
  }
  const { hash } = first;
  const servers = asked.map((server) => described(server, now));
  return {
    point: { height, hash, agreed: answered.length, resolvedAt: new Date(now).toISOString(), servers },
  };
}

async function ask(url: string, wish: TrustWish, now: number): Promise<Asked> {
  const rpc = consensusRpc(url, { timeoutMs: TIMEOUT_MS, inSlot: wish.inSlot ?? ((call) => call()) });
  try {
    const status = await rpc.status();
    return { url, rpc, status, ...unfit(status, wish, now) };
  } catch (error) {
    return { url, rpc, reason: 'TrustUnreachable', problem: messageOf(error) };
  }
}

function unfit(status: ServerStatus, wish: TrustWish, now: number): Pick<Asked, 'reason' | 'problem'> {
  if (status.network !== wish.chainId) {
    return {
      reason: 'TrustWrongChain',
      problem: `serves chain ${status.network}, and the node is of ${wish.chainId}`,
    };
  }
  if (status.nodeId === wish.ownId)
    return { reason: 'TrustUnreachable', problem: 'is the node itself; name another' };
  if (status.catchingUp)
    return { reason: 'TrustStale', problem: 'is catching up; wait for it, or name another' };
  const age = now - status.latestTime;
  if (age <= wish.maxServerLagMs) return {};
  return { reason: 'TrustStale', problem: `its newest block is ${Math.round(age / 1000)} s old` };
}

/** One server under two names counts once. */
function distinct(fit: readonly Fit[]): Fit[] {
  return [...new Map(fit.map((server) => [server.status.nodeId, server])).values()];
}

function refusal(asked: readonly Asked[], minAgreeing: number): TrustView {
  const problems = asked.flatMap(({ url, problem }) => (problem === undefined ? [] : [`${url}: ${problem}`]));
  const reason = asked.find((server) => server.reason !== undefined)?.reason ?? 'TrustUnreachable';
  const told = problems.length > 0 ? problems.join('; ') : 'the names are of one server';
  return {
    reason,
    problem: `${minAgreeing} distinct servers of stateSync.trust.rpcServers must be fit: ${told}`,
  };
}

function described({ url, status, problem }: Asked, now: number): TrustPoint['servers'][number] {
  return {
    url,
    ok: problem === undefined,
    ...(status && {
      network: status.network,
      height: status.latest,
      blockAgeSeconds: Math.max(0, Math.round((now - status.latestTime) / 1000)),
    }),
    ...(problem !== undefined && { problem: problem.slice(0, 500) }),
  };
}
