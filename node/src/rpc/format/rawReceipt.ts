import { bigintToBytes, concatBytes, encodeRlp } from '../../primitives/index.ts';
import type { Receipt } from '../../types/index.ts';
import { logsBloom } from './bloom.ts';

/** A receipt in Ethereum's consensus form: its type, unless it is a legacy one, and status, gas, bloom and logs in RLP. */
export function rawReceipt({ type, status, cumulativeGasUsed, logs }: Receipt): Uint8Array {
  const body = encodeRlp([
    bigintToBytes(BigInt(status)),
    bigintToBytes(cumulativeGasUsed),
    logsBloom(logs),
    logs.map(({ address, topics, data }) => [address, [...topics], data]),
  ]);
  return type === 0 ? body : concatBytes(Uint8Array.of(type), body);
}
