import { readUvarint } from '../../primitives/index.ts';
import { ledgerError } from '../ledgerError.ts';

/** Fields of a message by number: of a message what it has itself, of anything else nothing. */
interface Shape {
  readonly [field: number]: (() => Shape) | undefined;
}

const COIN: Shape = { 1: undefined, 2: undefined };
const ANY: Shape = { 1: undefined, 2: undefined };
const BITS: Shape = { 1: undefined, 2: undefined };
const MULTI: Shape = { 1: () => BITS, 2: () => MODE };
const MODE: Shape = { 1: () => ({ 1: undefined }), 2: () => MULTI };
const SIGNER: Shape = { 1: () => ANY, 2: () => MODE, 3: undefined };
const FEE: Shape = { 1: () => COIN, 2: undefined, 3: undefined, 4: undefined };
const TIP: Shape = { 1: () => COIN, 2: undefined };

/** `cosmos.tx.v1beta1.AuthInfo`; without its keys, which are read elsewhere. */
export const AUTH_INFO: Shape = { 1: () => SIGNER, 2: () => FEE, 3: () => TIP };
/** `cosmos.tx.v1beta1.TxBody`; without its messages' own fields. */
export const TX_BODY: Shape = {
  1: () => ANY,
  2: undefined,
  3: undefined,
  4: undefined,
  5: undefined,
  1023: () => ANY,
  2047: () => ANY,
};

/** The SDK refuses fields that it does not know, for a signer may have meant something by them. Throws LEDGER_REFUSED. */
export function requireKnownFields(bytes: Uint8Array, shape: Shape, name: string): void {
  for (let at = 0; at < bytes.length; ) {
    const [tag, next] = readUvarint(bytes, at);
    const field = Number(tag >> 3n);
    const wireType = Number(tag & 7n);
    if (!(field in shape)) throw ledgerError('decode', `errUnknownField "${name}": {TagNum: ${field}}`);
    if (wireType !== 0 && wireType !== 2) throw ledgerError('decode', `wire type ${wireType} in ${name}`);
    const [value, end] = readUvarint(bytes, next);
    at = wireType === 0 ? end : end + Number(value);
    const inner = shape[field]?.();
    if (inner && wireType === 2) requireKnownFields(bytes.subarray(end, at), inner, `${name}.${field}`);
  }
}
