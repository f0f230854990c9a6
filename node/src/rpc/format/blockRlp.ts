import type { EvmTransaction } from '../../evm/index.ts';
import { bigintToBytes, decodeRlp, hexToBytes, type RlpItem } from '../../primitives/index.ts';

/** Ethereum's order of a header's fields. */
const HEADER_FIELDS = [
  'parentHash',
  'sha3Uncles',
  'miner',
  'stateRoot',
  'transactionsRoot',
  'receiptsRoot',
  'logsBloom',
  'difficulty',
  'number',
  'gasLimit',
  'gasUsed',
  'timestamp',
  'extraData',
  'mixHash',
  'nonce',
  'baseFeePerGas',
];
const QUANTITIES = new Set(['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas']);

/** A header object as RLP fields, in Ethereum's order. */
export function headerRlp(header: Readonly<Record<string, unknown>>): RlpItem {
  return HEADER_FIELDS.map((name) => {
    const text = header[name] as string;
    return QUANTITIES.has(name) ? bigintToBytes(BigInt(text)) : hexToBytes(text);
  });
}

/** A transaction as an item of a block: a typed one is a string, as EIP-2718 has it. */
export function transactionRlp({ type, raw }: EvmTransaction): RlpItem {
  return type === 0 ? decodeRlp(raw) : raw;
}
