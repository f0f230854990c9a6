import { join } from 'node:path';
import { CONFIG_FILES } from '@chain/platform/contract';
import { readNodeKey, readValidatorKey } from '../../keys/index.ts';
import { bytesToHex } from '../../primitives/index.ts';
import { type CheckRun, Refused, refuseWhen } from '../checks.ts';
import type { HomeAccess, HomeSettings } from '../homeAccess.ts';
import type { MigrationWish } from '../journal.ts';
import { findPeers } from '../trust/findPeers.ts';
import {
  probeServers,
  resolveTrust,
  type Trust,
  type TrustedServer,
  type TrustOptions,
} from '../trust/resolveTrust.ts';
import { snapshotsOf } from '../trust/snapshots.ts';

export interface NetworkFacts {
  readonly access: HomeAccess;
  readonly settings: Pick<HomeSettings, 'chainId' | 'trustPeriodMs'>;
  readonly wish: MigrationWish;
}

/** What the checks found, for the steps that follow; complete when all have passed. */
export interface NetworkFindings {
  trust?: Trust;
  peers?: readonly string[];
}

async function trustOptions({ access, settings, wish }: NetworkFacts): Promise<TrustOptions> {
  const { id } = await readNodeKey(join(access.home, CONFIG_FILES.nodeKey));
  return {
    chainId: settings.chainId,
    urls: wish.trustedRpcs,
    allowSingle: wish.allowSingleRpc,
    delta: wish.delta,
    periodMs: settings.trustPeriodMs,
    ownId: id,
    now: Date.now(),
  };
}

/** What must be so in the network: who is trusted, from where, and that there is something to sync from. */
export function networkChecks(facts: NetworkFacts, findings: NetworkFindings): CheckRun[] {
  let servers: readonly TrustedServer[] | undefined;
  const trusted = (): readonly TrustedServer[] => {
    if (!servers) throw new Refused('not looked at, for the trusted RPCs are not fit');
    return servers;
  };
  return [
    [
      'trusted RPCs',
      async () => {
        servers = await probeServers(await trustOptions(facts));
        return servers.map(({ client, status }) => `${client.url} at ${status.latestHeight}`).join(', ');
      },
    ],
    [
      'trust height',
      async () => {
        findings.trust = await resolveTrust(trusted(), await trustOptions(facts));
        return `${findings.trust.height}, hash ${findings.trust.hash}`;
      },
    ],
    ['validator set', () => checkNoValidator(facts.access.home, trusted())],
    [
      'peers',
      async () => {
        const { ownId } = await trustOptions(facts);
        const peers = await findPeers(trusted(), { given: facts.wish.peers, ownId });
        refuseWhen(peers.length === 0, 'none was found; add --peers id@host:port');
        findings.peers = peers;
        return peers.join(', ');
      },
    ],
    ['snapshots', () => checkSnapshots(facts, trusted())],
  ];
}

async function checkNoValidator(home: string, servers: readonly TrustedServer[]): Promise<string> {
  const { address } = await readValidatorKey(join(home, CONFIG_FILES.validatorKey));
  const own = bytesToHex(address).toUpperCase();
  for (const { client } of servers) {
    refuseWhen(
      (await client.validators()).includes(own),
      `the key of this home, ${own}, is in the validator set that ${client.url} gives; validators are not migrated`,
    );
  }
  return `${own} is not in it`;
}

async function checkSnapshots({ wish }: NetworkFacts, servers: readonly TrustedServer[]): Promise<string> {
  if (wish.assumeSnapshots) return 'not looked at (--assume-snapshots)';
  const found = await Promise.all(
    servers.map(async ({ client }) => ({ url: client.url, heights: await snapshotsOf(client) })),
  );
  const having = found.filter(({ heights }) => heights.length > 0);
  refuseWhen(
    having.length === 0,
    'none of the trusted RPCs says that it has a snapshot; let a node make them ([state-sync] snapshot-interval), or add --assume-snapshots when other peers have some',
  );
  return having.map(({ url, heights }) => `${url}: ${heights.join(', ')}`).join('; ');
}
