import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlockRecord } from '../../types/index.ts';
import { formatBlock } from '../format/block.ts';
import { formatReceipt } from '../format/receipt.ts';
import { openRpcFixture, type RpcFixture } from '../rpc.fixture.ts';
import { growBlocks } from '../testTransactions.fixture.ts';
import { BlockJson } from './blockJson.ts';

describe('ready-made JSON', () => {
  let rpc: RpcFixture;
  let records: BlockRecord[];
  beforeAll(async () => {
    rpc = await openRpcFixture();
    records = await growBlocks(rpc);
  });
  afterAll(() => rpc.close());

  it.each([0, 1 << 20])('is what formatting gives, within %i bytes', (maxBytes) => {
    const json = new BlockJson({ maxBytes });
    for (let round = 0; round < 2; round++) {
      for (const record of records) {
        for (const full of [false, true]) {
          expect(json.block(record, full).text).toBe(JSON.stringify(formatBlock(record, full)));
        }
        const receipts = record.receipts.map((receipt) => formatReceipt(record, receipt));
        expect(json.receipts(record, record.receipts).text).toBe(JSON.stringify(receipts));
      }
    }
  });

  it('is made once', () => {
    const json = new BlockJson({ maxBytes: 1 << 20 });
    const [record] = records;
    expect(json.block(record!, false)).toBe(json.block(record!, false));
    expect(json.block(record!, true)).toBe(json.block(record!, true));
    for (const receipt of record!.receipts) {
      expect(json.receipt(record!, receipt)).toBe(json.receipt(record!, receipt));
    }
  });

  it('of another block at the same height is another', () => {
    const json = new BlockJson({ maxBytes: 1 << 20 });
    const [record] = records;
    const other = {
      ...record!,
      block: { ...record!.block, id: { ...record!.block.id, hash: new Uint8Array(32) } },
    };
    expect(json.block(other, false).text).not.toBe(json.block(record!, false).text);
    const [receipt] = record!.receipts;
    expect(json.receipt(other, { ...receipt! }).text).not.toBe(json.receipt(record!, receipt!).text);
  });
});
