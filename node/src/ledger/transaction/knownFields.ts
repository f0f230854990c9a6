import { Any } from 'cosmjs-types/google/protobuf/any';
import { readUvarint } from '../../primitives/index.ts';
import { ledgerError } from '../ledgerError.ts';
import { ANY, type FieldShape, type MessageShape, PACKED_SHAPES } from './messageShapes.ts';
import { requireNumeral } from './numeral.ts';

/** Field numbers with this bit may be passed over by who does not know them (ADR-020). */
const NON_CRITICAL = 1024;
const WIRE_NAMES = ['varint', 'fixed64', 'bytes', 'start_group', 'end_group', 'fixed32'];

/** Whether fields that may be passed over are suffered: in a body they are, in what pays and signs they are not. */
export type UnknownFields = 'refused' | 'nonCriticalAllowed';

/**
 * Refuses fields that a message does not have, for a signer may have meant something by them, and because the amino
 * form of a signature does not cover them; also within packed messages. The SDK's `RejectUnknownFields`. Answers
 * whether there were non-critical ones. Throws LEDGER_REFUSED, tx parse error.
 */
export function requireKnownFields(bytes: Uint8Array, shape: MessageShape, unknown: UnknownFields): boolean {
  let hasNonCritical = false;
  for (let at = 0; at < bytes.length; ) {
    const [tag, next] = readUvarint(bytes, at);
    const [number, wireType] = [Number(tag >> 3n), Number(tag & 7n)];
    const field = shape.fields[number];
    requireWireType(field, { shape, number, wireType, unknown });
    const [start, end] = valueAt(bytes, next, wireType);
    at = end;
    const value = bytes.subarray(start, end);
    if (field === undefined) hasNonCritical = true;
    else if (field === 'any') hasNonCritical = checkPacked(value, unknown) || hasNonCritical;
    else if (typeof field === 'function') {
      hasNonCritical = requireKnownFields(value, field(), unknown) || hasNonCritical;
    } else if (field === 'integer' || field === 'decimal') requireNumeral(value, field);
  }
  return hasNonCritical;
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

function checkPacked(bytes: Uint8Array, unknown: UnknownFields): boolean {
  const hasNonCritical = requireKnownFields(bytes, ANY, unknown);
  const { typeUrl, value } = Any.decode(bytes);
  const shape = PACKED_SHAPES.get(typeUrl);
  // What nobody here reads is refused, or passed over, by who finds it.
  return (shape !== undefined && requireKnownFields(value, shape, unknown)) || hasNonCritical;
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
  const [value, end] = readUvarint(bytes, at);
  return wireType === 0 ? [at, end] : [end, end + Number(value)];
}
