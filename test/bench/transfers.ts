import { signedTransaction, signingHash, wrapEvmTransaction } from '../../node/src/evm/index.ts';
import { bytesToBigint, signDigest } from '../../node/src/primitives/index.ts';
import { developmentAccount } from '../support/accounts.ts';

/** Development accounts that send. */
export const SENDERS = 10;
const KEYS = Array.from({ length: SENDERS }, (_, index) => developmentAccount(index).getHdKey().privateKey!);

export interface TransferRange {
  readonly evmChainId: bigint;
  /** Position of the first transfer in the endless row of them; senders take turns. */
  readonly from: number;
  readonly count: number;
}

/** Signed Ethereum transfers of one wei, each to an account of its own that no other range touches. */
export function signTransfers({ evmChainId, from, count }: TransferRange): Uint8Array[] {
  return Array.from({ length: count }, (_, i) => transfer(evmChainId, from + i).raw);
}

/** The same in their ledger envelopes. */
export function ledgerTransfers(range: TransferRange): Uint8Array[] {
  return Array.from({ length: range.count }, (_, i) =>
    wrapEvmTransaction(transfer(range.evmChainId, range.from + i)),
  );
}

function transfer(evmChainId: bigint, position: number): ReturnType<typeof signedTransaction> {
  const unsigned = {
    type: 2 as const,
    chainId: evmChainId,
    nonce: BigInt(Math.floor(position / SENDERS)),
    gasLimit: 21_000n,
    gasPrice: undefined,
    maxFeePerGas: 10n ** 12n,
    maxPriorityFeePerGas: 10n ** 9n,
    to: recipient(position),
    value: 1n,
    data: new Uint8Array(0),
    accessList: [],
    authorizationList: [],
  };
  const { signature, recoveryId } = signDigest(signingHash(unsigned), KEYS[position % SENDERS]!);
  const r = bytesToBigint(signature.subarray(0, 32));
  const s = bytesToBigint(signature.subarray(32));
  return signedTransaction(unsigned, { v: BigInt(recoveryId), r, s });
}

function recipient(position: number): Uint8Array {
  const address = Buffer.alloc(20, 0xbe);
  address.writeUInt32BE(Math.imul(position + 1, 0x9e3779b1) >>> 0, 4);
  return address;
}
