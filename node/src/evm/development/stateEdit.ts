import { bigintToBytes, bytesToBigint } from '../../primitives/index.ts';
import { type AnyMessage, firstMessage, wrapMessage } from '../envelope/envelope.ts';
import { envelopeError } from '../envelope/envelopeError.ts';
import { FieldReader } from '../envelope/fieldReader.ts';
import { ProtobufWriter } from '../envelope/protobuf.ts';

/** Type URL of the ledger message that edits state; only development homes run it. */
const EDIT_TYPE_URL = '/chain.dev.v1.MsgEditState';

/** What a development tool changes in state without a transaction of its own. Amounts in wei. */
export type StateEdit =
  | { readonly kind: 'balance'; readonly address: Uint8Array; readonly wei: bigint }
  | { readonly kind: 'nonce'; readonly address: Uint8Array; readonly nonce: bigint }
  | { readonly kind: 'code'; readonly address: Uint8Array; readonly code: Uint8Array }
  | {
      readonly kind: 'storage';
      readonly address: Uint8Array;
      /** 32 bytes each. */
      readonly slot: Uint8Array;
      readonly word: Uint8Array;
    }
  | { readonly kind: 'baseFee'; readonly wei: bigint };

const KINDS = ['balance', 'nonce', 'code', 'storage', 'baseFee'] as const;

/**
 * The ledger transaction (`TxRaw` bytes) that carries an edit: so it stands in a block, and every replay of the
 * block makes it again.
 */
export function wrapStateEdit(edit: StateEdit): Uint8Array {
  const writer = new ProtobufWriter().varint(1, BigInt(KINDS.indexOf(edit.kind) + 1));
  if ('address' in edit) writer.bytes(2, edit.address);
  if (edit.kind === 'storage') writer.bytes(3, edit.slot);
  writer.bytes(4, contentOf(edit));
  return wrapMessage({ typeUrl: EDIT_TYPE_URL, value: writer.finish() });
}

/** The edit inside a ledger transaction; `undefined` when it holds none. Throws EVM_INVALID_ENVELOPE. */
export function unwrapStateEdit(raw: Uint8Array): StateEdit | undefined {
  const message = firstMessage(raw);
  return message?.typeUrl === EDIT_TYPE_URL ? decode(message) : undefined;
}

function contentOf(edit: StateEdit): Uint8Array {
  if (edit.kind === 'code') return edit.code;
  if (edit.kind === 'storage') return edit.word;
  return bigintToBytes(edit.kind === 'nonce' ? edit.nonce : edit.wei);
}

function decode({ value }: AnyMessage): StateEdit {
  const fields = new FieldReader(value, EDIT_TYPE_URL);
  const kind = KINDS[Number(fields.uint64(1)) - 1];
  const address = fields.bytes(2);
  const content = fields.bytes(4);
  if (kind === undefined) throw envelopeError(`an edit of state has kind 1 to ${KINDS.length}`);
  if (kind !== 'baseFee' && address.length !== 20) throw envelopeError('an edited account has 20 bytes');
  switch (kind) {
    case 'balance':
      return { kind, address, wei: bytesToBigint(content) };
    case 'nonce':
      return { kind, address, nonce: bytesToBigint(content) };
    case 'code':
      return { kind, address, code: content };
    case 'storage':
      return { kind, address, slot: fields.bytes(3), word: content };
    case 'baseFee':
      return { kind, wei: bytesToBigint(content) };
  }
}
