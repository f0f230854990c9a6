import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth';
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys';
import { Any } from 'cosmjs-types/google/protobuf/any';
import { concatBytes, readUvarint, toBech32, utf8, writeUvarint } from '../primitives/index.ts';
import { STORE } from '../state/schema/index.ts';
import type { Overlay, PointReads } from '../state/view/index.ts';

const ACCOUNT_PREFIX = Uint8Array.of(0x01);
const ACCOUNT_NUMBER_KEY = utf8('globalAccountNumber');
const UINT64_FIELD_1 = Uint8Array.of(0x08);
const BASE_ACCOUNT_URL = '/cosmos.auth.v1beta1.BaseAccount';
const PUBLIC_KEY_URL = '/cosmos.crypto.secp256k1.PubKey';

/** A ledger account. `sequence` counts ledger transactions; EVM nonces are kept apart. */
export interface Account {
  /** 20 bytes. */
  readonly address: Uint8Array;
  /** Compressed, 33 bytes; `undefined` until the account has signed. */
  readonly publicKey: Uint8Array | undefined;
  /** A key of another kind, several keys say, as the account row has it. */
  readonly otherKey?: Any | undefined;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
}

export function readAccount(state: PointReads, address: Uint8Array): Account | undefined {
  const row = state.get(STORE.account, accountKey(address));
  if (!row) return undefined;
  const base = BaseAccount.decode(Any.decode(row).value);
  return {
    address,
    ...keyOf(base.pubKey),
    accountNumber: base.accountNumber,
    sequence: base.sequence,
  };
}

function keyOf(any: Any | undefined): Pick<Account, 'publicKey' | 'otherKey'> {
  if (any?.typeUrl !== PUBLIC_KEY_URL) return { publicKey: undefined, otherKey: any };
  return { publicKey: PubKey.decode(any.value).key };
}

/** The account's key as messages and rows carry it; `undefined` until it has signed. */
export function accountKeyAny({ publicKey, otherKey }: Account): Any | undefined {
  if (!publicKey) return otherKey;
  return { typeUrl: PUBLIC_KEY_URL, value: PubKey.encode({ key: publicKey }).finish() };
}

export function writeAccount(overlay: Overlay, account: Account): void {
  const pubKey = accountKeyAny(account);
  const value = BaseAccount.encode(
    BaseAccount.fromPartial({
      address: toBech32(account.address),
      ...(pubKey && { pubKey }),
      accountNumber: account.accountNumber,
      sequence: account.sequence,
    }),
  ).finish();
  const row = Any.encode({ typeUrl: BASE_ACCOUNT_URL, value }).finish();
  overlay.set(STORE.account, accountKey(account.address), row);
}

/** The account, made with the next account number when it is new; a public key is kept once known. */
export function ensureAccount(overlay: Overlay, address: Uint8Array, publicKey?: Uint8Array): Account {
  const existing = readAccount(overlay, address);
  if (existing && (existing.publicKey || !publicKey)) return existing;
  const account: Account = existing
    ? { ...existing, publicKey }
    : { address, publicKey, accountNumber: takeAccountNumber(overlay), sequence: 0n };
  writeAccount(overlay, account);
  return account;
}

// The counter is a google.protobuf.UInt64Value: field 1 as a varint, nothing for zero.
function takeAccountNumber(overlay: Overlay): bigint {
  const row = overlay.get(STORE.account, ACCOUNT_NUMBER_KEY);
  const number = row && row.length > 0 ? readUvarint(row, 1)[0] : 0n;
  const next = concatBytes(UINT64_FIELD_1, writeUvarint(number + 1n));
  overlay.set(STORE.account, ACCOUNT_NUMBER_KEY, next);
  return number;
}

/** The account that a key of its store is the row of, if any. */
export function ownerOfAccountRow(key: Uint8Array): Uint8Array | undefined {
  return key[0] === ACCOUNT_PREFIX[0] ? key.subarray(1) : undefined;
}

const accountKey = (address: Uint8Array): Uint8Array => concatBytes(ACCOUNT_PREFIX, address);
