import { readFileSync } from 'node:fs';
import { createFileRegistry, type DescField, fromBinary, getOption, ScalarType } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx';
import { MsgCreateValidator } from 'cosmjs-types/cosmos/staking/v1beta1/tx';
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { describe, expect, it } from 'vitest';
import { toBech32 } from '../../primitives/index.ts';
import { isLedgerError } from '../ledgerError.ts';
import { MESSAGES } from '../messages/messageTable.ts';
import { decodeLedgerTransaction } from './decodeTransaction.ts';
import { AUTH_INFO, type MessageShape, PACKED_SHAPES, TX_BODY, TX_RAW } from './messageShapes.ts';

const address = toBech32(new Uint8Array(20).fill(1));
const send = MsgSend.encode(
  MsgSend.fromPartial({
    fromAddress: address,
    toAddress: address,
    amount: [{ denom: 'usei', amount: '1' }],
  }),
).finish();

/** A field that a message does not have, with the number 7, as bytes. */
const field = (number: number, wireType = 2) => {
  const tag = BigInt(number) * 8n + BigInt(wireType);
  const tagBytes: number[] = [];
  for (let rest = tag; ; rest >>= 7n) {
    tagBytes.push(Number(rest & 127n) | (rest > 127n ? 128 : 0));
    if (rest <= 127n) break;
  }
  return [...tagBytes, ...{ 0: [7], 1: [1, 2, 3, 4, 5, 6, 7, 8], 2: [1, 7], 5: [1, 2, 3, 4] }[wireType]!];
};
const and = (bytes: Uint8Array, more: readonly number[]) => Uint8Array.from([...bytes, ...more]);

function raw(value: Uint8Array, typeUrl = MsgSend.typeUrl, more: readonly number[] = []): Uint8Array {
  const bodyBytes = and(TxBody.encode(TxBody.fromPartial({ messages: [{ typeUrl, value }] })).finish(), more);
  const authInfoBytes = AuthInfo.encode(AuthInfo.fromPartial({ fee: { gasLimit: 1n } })).finish();
  return TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [] }).finish();
}

function refusalOf(bytes: Uint8Array): string | undefined {
  try {
    decodeLedgerTransaction(bytes);
    return undefined;
  } catch (error) {
    if (!isLedgerError(error)) throw error;
    expect(error.fields).toMatchObject({ codespace: 'sdk', abciCode: 2 });
    return error.message;
  }
}

describe('fields that a message does not have', () => {
  it.each([
    [
      'in a message',
      raw(and(send, field(4))),
      'cosmos.bank.v1beta1.MsgSend',
      '{TagNum: 4, WireType:"bytes"}',
    ],
    [
      'in a coin of a message',
      // An input whose coin has a third field.
      raw(Uint8Array.from([10, 4, 18, 2, ...field(3, 0)]), MsgMultiSend.typeUrl),
      'cosmos.base.v1beta1.Coin',
      '{TagNum: 3, WireType:"varint"}',
    ],
    [
      'in the packed message itself',
      raw(send, MsgSend.typeUrl, [10, 3, ...field(3)]),
      'google.protobuf.Any',
      '{TagNum: 3, WireType:"bytes"}',
    ],
    [
      'in a key that a message holds',
      raw(
        MsgCreateValidator.encode(
          MsgCreateValidator.fromPartial({
            pubkey: { typeUrl: '/cosmos.crypto.ed25519.PubKey', value: Uint8Array.from(field(2)) },
          }),
        ).finish(),
        MsgCreateValidator.typeUrl,
      ),
      'cosmos.crypto.ed25519.PubKey',
      '{TagNum: 2, WireType:"bytes"}',
    ],
  ])('are refused %s', (_where, bytes, name, found) => {
    expect(refusalOf(bytes)).toBe(`errUnknownField "${name}": ${found}: tx parse error`);
  });

  it.each([0, 1, 2, 5])('may be passed over in a body when their number says so (wire type %i)', (wire) => {
    expect(refusalOf(raw(and(send, field(1031, wire))))).toBeUndefined();
    expect(refusalOf(raw(send, MsgSend.typeUrl, field(1031, wire)))).toBeUndefined();
    expect(decodeLedgerTransaction(raw(and(send, field(1031, wire)))).hasUnknownFields).toBe(true);
    expect(decodeLedgerTransaction(raw(send)).hasUnknownFields).toBe(false);
    // The same bit twice over: 2048 has it not.
    expect(refusalOf(raw(and(send, field(2048, wire))))).toMatch(/errUnknownField/);
  });

  it('may not be passed over in what signs and pays', () => {
    const tx = TxRaw.decode(raw(send));
    const authInfoBytes = and(tx.authInfoBytes, field(1031));
    expect(refusalOf(TxRaw.encode({ ...tx, authInfoBytes }).finish())).toMatch(
      /^errUnknownField "cosmos.tx.v1beta1.AuthInfo": {TagNum: 1031/,
    );
  });

  it('are refused with another wire type than theirs', () => {
    expect(refusalOf(raw(and(send, field(1, 0))))).toBe(
      'errMismatchedWireType "cosmos.bank.v1beta1.MsgSend": {TagNum: 1, GotWireType: "varint" != WantWireType: "bytes"}: tx parse error',
    );
    expect(refusalOf(raw(send, MsgSend.typeUrl, field(3)))).toMatch(
      /GotWireType: "bytes" != WantWireType: "varint"/,
    );
  });

  it.each([
    ['a group', [35]],
    ['a length beyond the end', [10, 120]],
    ['a field without a value', [10]],
    ['a number without an end', [255, 255]],
  ])('are refused as %s', (_what, bytes) => {
    expect(refusalOf(raw(and(send, bytes)))).toMatch(/tx parse error$/);
  });
});

describe('the shapes of messages', () => {
  const compiled = readFileSync(new URL('../../../proto/descriptors.binpb', import.meta.url));
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, compiled));
  const NUMBERS: readonly (ScalarType | undefined)[] = [
    ScalarType.UINT32,
    ScalarType.UINT64,
    ScalarType.INT64,
  ];

  /** Go's type of a text. */
  const customType = registry.getExtension('gogoproto.customtype')!;
  const NUMERALS: Record<string, string> = {
    'cosmossdk.io/math.Int': 'integer',
    'cosmossdk.io/math.LegacyDec': 'decimal',
  };

  function kindOf(field: DescField): string {
    if (field.enum !== undefined || NUMBERS.includes(field.scalar)) return 'number';
    return NUMERALS[String(getOption(field, customType))] ?? 'bytes';
  }

  function check(shape: MessageShape, seen: Set<string>): void {
    if (seen.has(shape.name)) return;
    seen.add(shape.name);
    const message = registry.getMessage(shape.name)!;
    const numbers = message.fields.map(({ number }) => number).sort((a, b) => a - b);
    expect(Object.keys(shape.fields).map(Number), shape.name).toEqual(numbers);
    const chosen = message.oneofs.flatMap(({ fields }) => fields.map(({ number }) => number));
    expect(shape.oneof ?? [], shape.name).toEqual(chosen);
    for (const field of message.fields) {
      const has = shape.fields[field.number]!;
      const type = field.message?.typeName;
      if (type === 'google.protobuf.Any') expect(has, field.name).toBe('any');
      else if (type) {
        expect((has as () => MessageShape)().name).toBe(type);
        check((has as () => MessageShape)(), seen);
      } else {
        expect(has, `${shape.name}.${field.name}`).toBe(kindOf(field));
      }
    }
  }

  it('are those of the protobuf files', () => {
    const seen = new Set<string>();
    for (const shape of [TX_RAW, AUTH_INFO, TX_BODY, ...PACKED_SHAPES.values()]) check(shape, seen);
    expect(seen.size).toBeGreaterThan(25);
  });

  it('are there of every message that the ledger runs', () => {
    expect([...MESSAGES.keys()].filter((url) => !PACKED_SHAPES.has(url))).toEqual([]);
  });
});
