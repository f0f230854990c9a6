import { isCodedError, isResourceError, parseJson } from '@chain/platform';
import { Request } from 'cosmjs-types/tendermint/abci/types';
import { Block as WireBlock } from 'cosmjs-types/tendermint/types/block';
import { decodeBlock } from '../../../node/src/comet/blockCodec.ts';
import { decodeCommit, encodeCommit } from '../../../node/src/comet/commit.ts';
import { DEFAULT_CONSENSUS_PARAMS } from '../../../node/src/comet/consensusParams.ts';
import { formatGenesisDoc } from '../../../node/src/comet/genesisDoc.ts';
import { NO_BLOCK_ID, parseGenesisDoc } from '../../../node/src/comet/index.ts';
import { kindOf } from '../../../node/src/consensus/cometbft/abci/dispatch.ts';
import { FrameReader, frame } from '../../../node/src/consensus/cometbft/abci/frames.ts';
import { parseGenesis } from '../../../node/src/execution/genesis/parseGenesis.ts';
import { decodeEntry, encodeEntry } from '../../../node/src/state/changelog/entryCodec.ts';
import { decodeDescription, encodeDescription } from '../../../node/src/state/snapshot/description.ts';
import { decodeRestorePoint, encodeRestorePoint } from '../../../node/src/state/snapshot/restorePoint.ts';
import { ItemReader } from '../../../node/src/state/snapshot/stream/itemReader.ts';
import type { FuzzTarget } from '../fuzzTarget.ts';
import { must } from '../must.ts';
import { GENESIS_APP_STATE, LEDGER_TRANSACTION } from './seeds.ts';

const some = (length: number, byte: number): Uint8Array => Buffer.alloc(length, byte);
const signatures = [
  { flag: 2, validatorAddress: some(20, 1), time: { seconds: 9n, nanos: 5 }, signature: some(64, 2) },
];
const COMMIT = { height: 7, round: 1, blockId: NO_BLOCK_ID, signatures };
const GENESIS = formatGenesisDoc({
  time: { seconds: 1_700_000_000n, nanos: 0 },
  chainId: 'chain-local-1',
  initialHeight: 1,
  consensusParams: DEFAULT_CONSENSUS_PARAMS,
  validators: [{ publicKey: some(32, 3), power: 10n, name: 'one' }],
  appHash: some(0, 0),
  appState: {},
});
const ENTRY = {
  changes: {
    version: 3,
    stores: [
      {
        store: 'bank',
        changes: [
          { key: some(3, 1), value: some(2, 2) },
          { key: some(2, 4), value: null },
        ],
      },
    ],
  },
  record: some(5, 9),
};
const DESCRIPTION = { height: 5, format: 1, chunks: 1, hash: some(32, 1), chunkHashes: [some(32, 1)] };
const nothing = (): void => undefined;
/** A store, a leaf, and a branch over it. */
const ITEMS = '060a040a0262 61'.replace(' ', '') + '0a1208 0a0161 120162 1801'.replaceAll(' ', '');

/** What an engine, a peer or a file of ours brings. */
export const CONSENSUS_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'abciRequest',
    read: (bytes) => kindOf(Request.decode(bytes)),
    seeds: [
      Request.encode(Request.fromPartial({ checkTx: { tx: LEDGER_TRANSACTION } })).finish(),
      Request.encode(
        Request.fromPartial({ finalizeBlock: { txs: [LEDGER_TRANSACTION], height: 5n } }),
      ).finish(),
    ],
    // The engine is ours, and hears of any error as an exception; the machine's own errors are none.
    refuses: (error) => error instanceof Error && !isResourceError(error),
  },
  {
    name: 'abciFrames',
    read: (bytes) => {
      const whole = new FrameReader(4096).push(bytes);
      const byByte = new FrameReader(4096);
      const parts = [...bytes].flatMap((byte) => byByte.push(Uint8Array.of(byte)));
      must('is cut alike, however it comes', Buffer.concat(whole).equals(Buffer.concat(parts)));
    },
    seeds: [Buffer.concat([frame(some(3, 1)), frame(some(200, 2))])],
  },
  {
    name: 'block',
    read: decodeBlock,
    seeds: [
      WireBlock.encode(
        WireBlock.fromPartial({
          header: {
            chainId: 'chain-local-1',
            height: 3n,
            time: { seconds: 5n, nanos: 1 },
            lastBlockId: { hash: some(32, 1) },
          },
          data: { txs: [LEDGER_TRANSACTION] },
          lastCommit: { height: 2n, signatures: [{ blockIdFlag: 2, signature: some(64, 2) }] },
        }),
      ).finish(),
    ],
  },
  { name: 'commit', read: decodeCommit, seeds: [encodeCommit(COMMIT)] },
  { name: 'genesisDoc', read: parseGenesisDoc, seeds: [GENESIS] },
  {
    name: 'genesisState',
    read: (bytes) => parseGenesis(parseJson(bytes)),
    seeds: [JSON.stringify(GENESIS_APP_STATE)],
    refuses: (error) => isCodedError(error) || error instanceof SyntaxError,
  },
  { name: 'changelogEntry', read: decodeEntry, seeds: [encodeEntry(ENTRY)] },
  { name: 'snapshotDescription', read: decodeDescription, seeds: [encodeDescription(DESCRIPTION)] },
  {
    name: 'snapshotRestorePoint',
    read: decodeRestorePoint,
    seeds: [encodeRestorePoint({ chainId: 'chain-local-1', appHash: some(32, 1), blockRecord: some(9, 2) })],
  },
  {
    name: 'snapshotItems',
    read: (bytes) => {
      const reader = new ItemReader({ store: nothing, leaf: nothing, branch: nothing });
      reader.push(bytes);
      reader.finish();
    },
    seeds: [Buffer.from(ITEMS, 'hex')],
  },
];
