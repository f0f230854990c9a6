import { isCodedError } from '@chain/platform';
import { Any } from 'cosmjs-types/google/protobuf/any';
import { readUvarint } from '../../primitives/index.ts';
import { ledgerError } from '../ledgerError.ts';
import { decodeMessage } from '../protoMessage.ts';
import { DECODE_LIMITS } from './decodeLimits.ts';
import { ANY, type FieldShape, type MessageShape, PACKED_SHAPES } from './messageShapes.ts';
import { requireNumeral } from './numeral.ts';

/** Field numbers with this bit may be passed over by who does not know them (ADR-020). */
const NON_CRITICAL = 1024;
const WIRE_NAMES = ['varint', 'fixed64', 'bytes', 'start_group', 'end_group', 'fixed32'];

/** Whether fields that may be passed over are suffered: in a body they are, in what pays and signs they are not. */
export type UnknownFields = 'refused' | 'nonCriticalAllowed';

/**
 * Refuses fields that a message does not have, for a signer may have meant something by them, and because the amino
 * form of a signature does not cover them; also within packed messages. The SDK's `RejectUnknownFields`. Refuses as
 * well what exceeds `DECODE_LIMITS`, groups, and a oneof that is set twice, so that any decoder may follow. Answers
 * whether there were non-critical ones. Throws LEDGER_REFUSED, tx parse error.
 */
export function requireKnownFields(bytes: Uint8Array, shape: MessageShape, unknown: UnknownFields): boolean {
  return walk(bytes, shape, { unknown, depth: 1, count: { fields: 0 } });
}

interface Walk {
  readonly unknown: UnknownFields;
  readonly depth: number;
  /** Of all levels. */
  readonly count: { fields: number };
}

function walk(bytes: Uint8Array, shape: MessageShape, at: Walk): boolean {
  if (at.depth > DECODE_LIMITS.depth) {
    throw ledgerError('decode', `"${shape.name}" lies deeper than ${DECODE_LIMITS.depth} messages`);
  }
  const below = { ...at, depth: at.depth + 1 };
  let hasNonCritical = false;
  let chosen: number | undefined;
  for (let offset = 0; offset < bytes.length; ) {
    if (++at.count.fields > DECODE_LIMITS.fields) {
      throw ledgerError('decode', `more than ${DECODE_LIMITS.fields} fields`);
    }
    const [tag, next] = uvarintAt(bytes, offset);
    const [number, wireType] = [Number(tag >> 3n), Number(tag & 7n)];
    const field = shape.fields[number];
    requireWireType(field, { shape, number, wireType, unknown: at.unknown });
    const [start, end] = valueAt(bytes, next, wireType);
    offset = end;
    if (shape.oneof?.includes(number)) chosen = onlyMember(shape, chosen, number);
    hasNonCritical = walkField(bytes.subarray(start, end), field, below) || hasNonCritical;
  }
  return hasNonCritical;
}

/** Whether the field, or one in it, may be passed over. */
function walkField(value: Uint8Array, field: FieldShape | undefined, at: Walk): boolean {
  if (field === undefined) return true;
  if (field === 'any') return walkPacked(value, at);
  if (typeof field === 'function') return walk(value, field(), at);
  if (field === 'integer' || field === 'decimal') requireNumeral(value, field);
  return false;
}

/** What decoders make of two members differs between them. */
function onlyMember({ name }: MessageShape, before: number | undefined, number: number): number {
  if (before === undefined) return number;
  throw ledgerError('decode', `"${name}" sets one of its members alone, not ${before} and ${number}`);
}

interface Found {
  readonly shape: MessageShape;
  readonly number: number;
  readonly wireType: number;
  readonly unknown: UnknownFields;
}

function requireWireType(field: FieldShape | undefined, { shape, number, wireType, unknown }: Found): void {
  const wire = WIRE_NAMES[wireType] ?? wireType;
  if (field === undefined) {
    if ((number & NON_CRITICAL) !== 0 && unknown === 'nonCriticalAllowed') return;
    throw ledgerError('decode', `errUnknownField "${shape.name}": {TagNum: ${number}, WireType:"${wire}"}`);
  }
  const wanted = field === 'number' ? 'varint' : 'bytes';
  if (wire === wanted) return;
  const mismatch = `{TagNum: ${number}, GotWireType: "${wire}" != WantWireType: "${wanted}"}`;
  throw ledgerError('decode', `errMismatchedWireType "${shape.name}": ${mismatch}`);
}

function walkPacked(bytes: Uint8Array, at: Walk): boolean {
  const hasNonCritical = walk(bytes, ANY, at);
  const { typeUrl, value } = decodeMessage(Any, bytes, ANY.name);
  const shape = PACKED_SHAPES.get(typeUrl);
  // What nobody here reads is refused, or passed over, by who finds it.
  return (shape !== undefined && walk(value, shape, { ...at, depth: at.depth + 1 })) || hasNonCritical;
}

/** Where a field's value lies. */
function valueAt(bytes: Uint8Array, at: number, wireType: number): [start: number, end: number] {
  const [start, end] = extent(bytes, at, wireType);
  if (end > bytes.length)
    throw ledgerError('decode', `a field of ${end - start} bytes ends beyond its message`);
  return [start, end];
}

function extent(bytes: Uint8Array, at: number, wireType: number): [start: number, end: number] {
  if (wireType === 1) return [at, at + 8];
  if (wireType === 5) return [at, at + 4];
  if (wireType !== 0 && wireType !== 2) throw ledgerError('decode', `wire type ${wireType} is not in use`);
  const [value, end] = uvarintAt(bytes, at);
  return wireType === 0 ? [at, end] : [end, end + Number(value)];
}

function uvarintAt(bytes: Uint8Array, at: number): [value: bigint, next: number] {
  try {
    return readUvarint(bytes, at);
  } catch (cause) {
    if (!isCodedError(cause, 'VARINT_INVALID')) throw cause;
    throw ledgerError('decode', cause.message, cause);
  }
}
