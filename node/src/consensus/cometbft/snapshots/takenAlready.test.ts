import { silentLogger } from '@chain/platform';
import {
  ResponseApplySnapshotChunk_Result as ChunkResult,
  ResponseOfferSnapshot_Result as OfferResult,
  RequestApplySnapshotChunk,
  RequestOfferSnapshot,
} from 'cosmjs-types/tendermint/abci/types';
import { describe, expect, it } from 'vitest';
import { takenAlready } from './takenAlready.ts';

const APP_HASH = new Uint8Array(32).fill(7);

describe('a snapshot that is restored already', () => {
  const others: bigint[] = [];
  const handlers = takenAlready({
    restored: () => ({ height: 30, appHash: APP_HASH }),
    otherOffered: async ({ snapshot }) => {
      others.push(snapshot!.height);
      return { result: OfferResult.ABORT };
    },
    logger: silentLogger,
  });
  const offer = (height: bigint, appHash: Uint8Array) =>
    handlers.offerSnapshot(RequestOfferSnapshot.fromPartial({ snapshot: { height, format: 1 }, appHash }));

  it('is taken once more, chunk by chunk, when it is offered again', async () => {
    expect(await offer(30n, APP_HASH)).toEqual({ result: OfferResult.ACCEPT });
    const chunk = RequestApplySnapshotChunk.fromPartial({ index: 3, chunk: new Uint8Array(9) });
    expect(await handlers.applySnapshotChunk(chunk)).toMatchObject({ result: ChunkResult.ACCEPT });
    expect(others).toEqual([]);
  });

  it('is not taken for another, of another height or another chain', async () => {
    expect(await offer(60n, APP_HASH)).toEqual({ result: OfferResult.ABORT });
    expect(await offer(30n, new Uint8Array(32))).toEqual({ result: OfferResult.ABORT });
    expect(others).toEqual([60n, 30n]);
  });
});
