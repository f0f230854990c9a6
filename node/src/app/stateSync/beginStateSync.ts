import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileDurably } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import { editConfigToml, joinPeers, loadConfig } from '../../config/index.ts';
import { readNodeKey } from '../../keys/index.ts';
import { findPeers, probeServers, resolveTrust } from '../../migrate/index.ts';
import { holdsChain, isRestoring } from '../../state/snapshot/index.ts';
import { readGenesis } from '../genesis.ts';
import { restoreTargetOf } from '../snapshotPlaces.ts';

export interface BeginStateSync {
  readonly home: string;
  /** Consensus RPCs that are trusted. */
  readonly urls: readonly string[];
  readonly allowSingle: boolean;
  /** Blocks below the newest one that the trusted block lies. */
  readonly delta: number;
}

/**
 * Sets a home without state to state sync at its next start: trusted block and peers from servers that agree. A home
 * that has its state is left as it is. Says what it has done. Throws MIGRATE_TRUST.
 */
export async function beginStateSync({ home, urls, allowSingle, delta }: BeginStateSync): Promise<string> {
  const config = await loadConfig({ home });
  if (holdsChain(restoreTargetOf(config)) && !isRestoring(home)) return 'skipped: the home has its state';
  const { doc } = await readGenesis(join(home, CONFIG_FILES.genesis));
  const { id: ownId } = await readNodeKey(join(home, CONFIG_FILES.nodeKey));
  const { statesync, p2p } = config.comet;
  const options = {
    chainId: doc.chainId,
    urls,
    allowSingle,
    delta,
    ownId,
    periodMs: statesync.trust_period,
    now: Date.now(),
  };
  const servers = await probeServers(options);
  const trust = await resolveTrust(servers, options);
  const peers = await findPeers(servers, { given: [], ownId });
  const [first] = trust.servers;
  const chunks = statesync.temp_dir || join(home, 'run/statesync');
  await mkdir(chunks, { recursive: true, mode: 0o700 });
  const path = join(home, CONFIG_FILES.configToml);
  const text = editConfigToml(await readFile(path, 'utf8'), {
    'statesync.enable': true,
    // CometBFT's light client wants two; one that is trusted alone is its own witness.
    'statesync.rpc_servers': (trust.servers.length === 1 ? [first, first] : trust.servers).join(','),
    'statesync.trust_height': trust.height,
    'statesync.trust_hash': trust.hash,
    'statesync.temp_dir': chunks,
    'p2p.persistent_peers': joinPeers(p2p.persistent_peers, peers),
  });
  await writeFileDurably(path, text, 0o644);
  return `from block ${trust.height}, ${trust.hash}`;
}
