import { isCodedError } from '@chain/platform';
import { Request } from 'cosmjs-types/tendermint/abci/types';
import { decodeCommit, parseGenesisDoc } from '../../../node/src/comet/index.ts';
import { decodeTransaction, unwrapEvmTransaction } from '../../../node/src/evm/index.ts';
import { decodeAbi } from '../../../node/src/evm/precompile/abi/decodeAbi.ts';
import { rawMembers } from '../../../node/src/evm/precompile/jsonMembers.ts';
import { parseGenesis } from '../../../node/src/execution/index.ts';
import { decodeLedgerTransaction } from '../../../node/src/ledger/index.ts';
import { bytesToHex, decodeRlp, sha256, utf8 } from '../../../node/src/primitives/index.ts';
import { decodeEntry } from '../../../node/src/state/changelog/index.ts';
import { decodeChunkHashes, decodeDescription } from '../../../node/src/state/snapshot/description.ts';
import { PRECOMPILE_METHODS } from './precompileMethods.ts';
import { shown } from './shown.ts';

const ORIGIN = { chainId: 'chain-local-1', time: { seconds: 1n, nanos: 0 } };

/** Every decoder of bytes from outside that a validator's answer depends on. */
const DECODERS = {
  transaction: (bytes: Uint8Array) => {
    const { body, fee, signerInfos, signatures, signers } = decodeLedgerTransaction(bytes);
    return { body, fee, signerInfos, signatures, signers };
  },
  envelope: unwrapEvmTransaction,
  ethereum: decodeTransaction,
  rlp: decodeRlp,
  abi: (bytes: Uint8Array) =>
    PRECOMPILE_METHODS.filter(({ selector }) => Buffer.compare(selector, bytes.subarray(0, 4)) === 0).map(
      ({ inputs }) => decodeAbi(inputs, bytes.subarray(4)),
    ),
  json: (bytes: Uint8Array) => rawMembers(bytes, bytes[0] === 0x5b ? '[' : '{'),
  abci: (bytes: Uint8Array) => Request.decode(bytes),
  commit: decodeCommit,
  genesisDoc: parseGenesisDoc,
  genesis: (bytes: Uint8Array) =>
    parseGenesis(JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown, ORIGIN),
  snapshot: decodeDescription,
  chunkHashes: decodeChunkHashes,
  changelog: decodeEntry,
} as const satisfies Record<string, (bytes: Uint8Array) => unknown>;

type DecoderName = keyof typeof DECODERS;

/** Bytes for one decoder of the node. */
export interface DecoderInput {
  readonly decoder: DecoderName;
  readonly bytes: Uint8Array;
}

/** What each input comes to: a hash of what it decodes to, or the code of its error. */
export function decodeAll(inputs: readonly DecoderInput[]): string[] {
  return inputs.map(({ decoder, bytes }) => {
    try {
      return bytesToHex(sha256(utf8(shown(DECODERS[decoder](bytes)))));
    } catch (error) {
      return isCodedError(error) ? error.code : `${(error as Error).name}: ${(error as Error).message}`;
    }
  });
}
