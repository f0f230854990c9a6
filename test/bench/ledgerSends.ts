import {
  feeOfGas,
  type LedgerMessage,
  messages,
  signTransaction,
  unsignedBytes,
} from '../../node/src/client/index.ts';
import { chainAddressOf, publicKeyOf, toBech32 } from '../../node/src/primitives/index.ts';
import { developmentAccount } from '../support/accounts.ts';
import { SENDERS } from './transfers.ts';

const CHAIN_ID = 'chain-local-1';
const GAS = 100_000n;
const GAS_OF_ANY = 300_000n;
/** Sends of one sender that are in flight may number this many: each is signed with its sequence. */
const KEYS = Array.from({ length: SENDERS }, (_, index) => {
  const privateKey = developmentAccount(index).getHdKey().privateKey!;
  const publicKey = publicKeyOf(privateKey, true)!;
  return { privateKey, publicKey, address: toBech32(chainAddressOf(publicKey)) };
});

export interface SendRange {
  /** Position of the first send in the endless row of them; senders take turns. */
  readonly from: number;
  readonly count: number;
  /** Account number of each sender. */
  readonly accountNumbers: readonly bigint[];
  /** In place of a bank send to an account of its own. */
  readonly messageAt?: (position: number, from: string) => LedgerMessage;
}

/** Signed bank sends of one unit, each to an account of its own, as `TxRaw` bytes. */
export function signSends({ from, count, accountNumbers, messageAt }: SendRange): Uint8Array[] {
  const gas = messageAt ? GAS_OF_ANY : GAS;
  const fee = feeOfGas(gas, {}, '0.02usei');
  return Array.from({ length: count }, (_, i) => {
    const position = from + i;
    const { address, privateKey, publicKey } = KEYS[position % SENDERS]!;
    const message = messageAt?.(position, address) ?? sendOne(address, recipient(position));
    const raw = unsignedBytes({ messages: [message], memo: '', timeoutHeight: 0n, gas, fee });
    const sequence = BigInt(Math.floor(position / SENDERS));
    const accountNumber = accountNumbers[position % SENDERS]!;
    return signTransaction(raw, { privateKey, publicKey, chainId: CHAIN_ID, accountNumber, sequence });
  });
}

function sendOne(from: string, to: Uint8Array): LedgerMessage {
  return messages.send(from, toBech32(to), [{ denom: 'usei', amount: '1' }]);
}

/** Chain addresses of the senders, bech32. */
export const SENDER_ADDRESSES: readonly string[] = KEYS.map(({ address }) => address);

function recipient(position: number): Uint8Array {
  const address = Buffer.alloc(20, 0xce);
  address.writeUInt32BE(Math.imul(position + 1, 0x9e3779b1) >>> 0, 4);
  return address;
}
