import { migrationErrors } from '../migrationErrors.ts';
import { type ConsensusClient, createConsensusClient, type ServerStatus } from './consensusClient.ts';

/** Where a light client begins, and who says so. */
export interface Trust {
  readonly height: number;
  /** Hex, upper case. */
  readonly hash: string;
  /** Unix milliseconds of the trusted header. */
  readonly time: number;
  /** Unix milliseconds. */
  readonly resolvedAt: number;
  readonly latestHeight: number;
  readonly servers: readonly string[];
}

export interface TrustOptions {
  readonly chainId: string;
  readonly urls: readonly string[];
  readonly allowSingle: boolean;
  /** Blocks below the newest one that the trusted height lies. */
  readonly delta: number;
  /** How old a trusted header may be, in milliseconds. */
  readonly periodMs: number;
  /** Id of the node that migrates: it cannot vouch for itself. */
  readonly ownId: string;
  /** Unix milliseconds. */
  readonly now: number;
}

export interface TrustedServer {
  readonly client: ConsensusClient;
  readonly status: ServerStatus;
}

/** A newest block older than this makes a server unfit: its chain stands, or it has lost its peers. */
const MAX_AGE_MS = 60_000;
/** The light client still needs the header trusted when the snapshot has been fetched. */
const PERIOD_MARGIN = 0.9;

/** Asks every server. Throws MIGRATE_TRUST when they are too few, not distinct, of another chain, or stale. */
export async function probeServers(options: TrustOptions): Promise<readonly TrustedServer[]> {
  const clients = options.urls.map(createConsensusClient);
  if (clients.length === 0) throw unfit('no trusted RPC is named', 'add --trusted-rpc URL, twice');
  const servers = await Promise.all(
    clients.map(async (client) => ({ client, status: await client.status() })),
  );
  for (const server of servers) requireFit(server, options);
  const distinct = new Set(servers.map(({ status }) => status.nodeId));
  if (distinct.size < servers.length || new Set(clients.map(({ url }) => url)).size < clients.length) {
    throw unfit(
      `${clients.map(({ url }) => url).join(', ')} are not distinct servers`,
      'name servers of different operators',
    );
  }
  if (servers.length < 2 && !options.allowSingle) {
    throw unfit(
      'one trusted RPC alone can lie unseen',
      'add a second --trusted-rpc, or --allow-single-rpc to trust this one',
    );
  }
  return servers;
}

function requireFit({ client: { url }, status }: TrustedServer, { chainId, ownId, now }: TrustOptions): void {
  if (status.network !== chainId) {
    throw unfit(
      `${url} serves chain "${status.network}", this node "${chainId}"`,
      'name servers of this chain',
    );
  }
  if (status.nodeId === ownId) throw unfit(`${url} is this node itself`, 'name other servers');
  if (status.catchingUp) throw unfit(`${url} is catching up`, 'wait for it, or name another');
  const age = now - status.latestTime;
  if (!(age <= MAX_AGE_MS)) {
    throw unfit(
      `the newest block of ${url} (${status.latestHeight}) is ${Math.round(age / 1000)} s old`,
      `name a server whose newest block is at most ${MAX_AGE_MS / 1000} s old`,
    );
  }
}

/**
 * Of servers that were just probed: the newest height that all have, minus `delta`, but no lower than any server's
 * earliest block. All must say the same hash, and the header must stay within the trust period. Throws MIGRATE_TRUST.
 */
export async function resolveTrust(
  servers: readonly TrustedServer[],
  options: Pick<TrustOptions, 'delta' | 'periodMs' | 'now'>,
): Promise<Trust> {
  const latest = Math.min(...servers.map(({ status }) => status.latestHeight));
  const earliest = Math.max(1, ...servers.map(({ status }) => status.earliestHeight));
  const height = Math.max(latest - options.delta, earliest);
  if (height > latest) {
    throw unfit(
      `the servers have no block in common: one begins at ${earliest}, another ends at ${latest}`,
      'name servers that keep more blocks',
    );
  }
  const blocks = await Promise.all(servers.map(({ client }) => client.block(height)));
  const [first] = blocks;
  const liars = servers.filter((_, at) => blocks[at]!.hash !== first!.hash);
  if (liars.length > 0) {
    const said = servers.map(({ client }, at) => `${client.url}: ${blocks[at]!.hash}`).join(', ');
    throw unfit(
      `the servers do not agree on block ${height} (${said})`,
      'find out which chain is yours before anything else',
    );
  }
  const age = options.now - first!.time;
  if (age > options.periodMs * PERIOD_MARGIN) {
    throw unfit(
      `block ${height} is ${Math.round(age / 3_600_000)} h old, and the trust period is ${Math.round(options.periodMs / 3_600_000)} h`,
      'choose a smaller --delta',
    );
  }
  return {
    height,
    hash: first!.hash,
    time: first!.time,
    resolvedAt: options.now,
    latestHeight: latest,
    servers: servers.map(({ client }) => client.url),
  };
}

function unfit(what: string, remedy: string) {
  return migrationErrors.trust(`${what}; ${remedy}`);
}
