import { InvalidParam } from '../rpcError.ts';
import { ref } from '../schema/jsonSchema.ts';
import { type BlockNumberOrTag, blockNumberCodec } from './blockId.ts';
import type { Codec } from './codec.ts';
import { hashAt } from './hexCodecs.ts';
import { ObjectFields } from './objectFields.ts';

/** What logs are asked for. In a topic position `null` matches anything. */
export interface LogCriteria {
  readonly blockHash: Uint8Array | undefined;
  readonly from: BlockNumberOrTag | undefined;
  readonly to: BlockNumberOrTag | undefined;
  readonly addresses: readonly Uint8Array[];
  readonly topics: readonly (readonly Uint8Array[] | null)[];
}

const MAX_TOPICS = 4;
const MAX_ALTERNATIVES = 1000;

export const logCriteriaCodec: Codec<LogCriteria> = {
  schema: ref('LogCriteria'),
  decode: (value) => {
    const fields = new ObjectFields(value, 'filters.input');
    const from = fields.optional('fromBlock', () => blockNumberCodec);
    const to = fields.optional('toBlock', () => blockNumberCodec);
    const blockHash = fields.optional('blockHash', hashAt);
    if (blockHash && (from !== undefined || to !== undefined)) {
      throw new InvalidParam('cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other');
    }
    return {
      blockHash,
      from,
      to,
      addresses: addressesOf(fields.raw('address')),
      topics: topicsOf(fields.raw('topics')),
    };
  },
};

function addressesOf(value: unknown): Uint8Array[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string')
    return [bytesOf(value, { length: 20, subject: 'invalid address: ', noun: 'address' })];
  if (!Array.isArray(value)) throw new InvalidParam('invalid addresses in query');
  return value.map((item: unknown, i) => {
    if (typeof item !== 'string') throw new InvalidParam(`non-string address at index ${i}`);
    return bytesOf(item, { length: 20, subject: `invalid address at index ${i}: `, noun: 'address' });
  });
}

function topicsOf(value: unknown): (Uint8Array[] | null)[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new InvalidParam('invalid topic(s)');
  if (value.length > MAX_TOPICS) throw new InvalidParam('exceed max topics');
  return value.map(topicPosition);
}

function topicPosition(value: unknown): Uint8Array[] | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return [topicOf(value)];
  if (!Array.isArray(value)) throw new InvalidParam('invalid topic(s)');
  if (value.length > MAX_ALTERNATIVES) throw new InvalidParam('exceed max topics');
  if (value.length === 0 || value.includes(null)) return null;
  return value.map((item: unknown) => {
    if (typeof item !== 'string') throw new InvalidParam('invalid topic(s)');
    return topicOf(item);
  });
}

function hexProblem(text: string): string {
  if (text === '') return 'empty hex string';
  if (!/^0x/i.test(text)) return 'hex string without 0x prefix';
  return text.length % 2 === 0 ? 'invalid hex string' : 'hex string of odd length';
}

const topicOf = (text: string) => bytesOf(text, { length: 32, subject: '', noun: 'topic' });

function bytesOf(text: string, want: { length: number; subject: string; noun: string }): Uint8Array {
  const digits = /^0x((?:[0-9a-f]{2})*)$/i.exec(text)?.[1];
  if (digits === undefined) throw new InvalidParam(want.subject + hexProblem(text));
  if (digits.length !== want.length * 2) {
    throw new InvalidParam(
      `${want.subject}hex has invalid length ${digits.length / 2} after decoding; expected ${want.length} for ${want.noun}`,
    );
  }
  return Buffer.from(digits, 'hex');
}
