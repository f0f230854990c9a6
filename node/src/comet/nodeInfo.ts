import { BLOCK_PROTOCOL } from './blockCodec.ts';

/** What a node says of itself to peers and clients: CometBFT's DefaultNodeInfo. */
export interface NodeInfo {
  readonly protocols: { readonly p2p: bigint; readonly block: bigint; readonly app: bigint };
  /** 20 bytes as 40 hex digits: what peers call this node. */
  readonly id: string;
  /** Where peers connect, and where the consensus RPC listens, as config.toml has them. */
  readonly p2pAddress: string;
  readonly rpcAddress: string;
  readonly network: string;
  /** Release of CometBFT. */
  readonly version: string;
  /** A byte a channel, in hex. */
  readonly channels: string;
  readonly moniker: string;
  /** Whether transactions are found by their events. */
  readonly indexing: boolean;
}

type NodesOwn = 'id' | 'p2pAddress' | 'rpcAddress' | 'network' | 'moniker' | 'indexing';

/** As a CometBFT node of this release has it. */
export function nodeInfo(own: Pick<NodeInfo, NodesOwn> & { readonly appProtocol: bigint }): NodeInfo {
  const { appProtocol, ...rest } = own;
  return {
    ...rest,
    protocols: { p2p: 8n, block: BLOCK_PROTOCOL, app: appProtocol },
    version: '0.38.26',
    channels: '40202122233038606100',
  };
}
