import { join } from 'node:path';
import { CONFIG_FILES } from '@chain/platform/contract';
import { type NodeInfo, nodeInfo } from '../comet/index.ts';
import type { NodeConfig } from '../config/index.ts';
import { readNodeKey } from '../keys/index.ts';
import type { Genesis } from './genesis.ts';

/** What the consensus RPC, gRPC and REST say that this node is. */
export async function nodeInfoOf({ home, comet }: NodeConfig, { doc }: Genesis): Promise<NodeInfo> {
  const { id } = await readNodeKey(join(home, CONFIG_FILES.nodeKey));
  return nodeInfo({
    id,
    p2pAddress: comet.p2p.laddr,
    rpcAddress: comet.rpc.laddr,
    network: doc.chainId,
    moniker: comet.base.moniker,
    indexing: comet.tx_index.indexer === 'kv',
    appProtocol: doc.consensusParams.version.app,
  });
}
