import type { BlockID, Header } from 'cosmjs-types/tendermint/types/types';
import type { BlockHeader, BlockId } from '../types/index.ts';

// Between the node's nouns and the generated protobuf types; the two name and size things differently.

export function blockIdToWire(id: BlockId): BlockID {
  return { hash: id.hash, partSetHeader: { total: id.partsTotal, hash: id.partsHash } };
}

export function blockIdFromWire(id: BlockID): BlockId {
  return { hash: id.hash, partsTotal: id.partSetHeader.total, partsHash: id.partSetHeader.hash };
}

export function headerToWire(header: BlockHeader): Header {
  const { blockProtocol, appProtocol, height, lastBlockId, ...same } = header;
  return {
    ...same,
    version: { block: blockProtocol, app: appProtocol },
    height: BigInt(height),
    lastBlockId: blockIdToWire(lastBlockId),
  };
}

export function headerFromWire(wire: Header): BlockHeader {
  const { version, height, lastBlockId, time, ...same } = wire;
  return {
    ...same,
    blockProtocol: version.block,
    appProtocol: version.app,
    height: Number(height),
    time: { seconds: time.seconds, nanos: time.nanos },
    lastBlockId: blockIdFromWire(lastBlockId),
  };
}
