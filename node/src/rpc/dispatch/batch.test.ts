import { Turns } from '@chain/platform';
import { expect, it } from 'vitest';
import { answerBatch } from './batch.ts';
import type { Element } from './envelope.ts';
import { LargeAnswer } from './largeAnswer.ts';

const turns = new Turns();
const LIMITS = { maxBatch: 100, maxBatchResponseBytes: 10_000, callTimeoutMs: 10_000 };
const element = (id: number, method: string): Element => ({
  kind: 'request',
  id: `${id}`,
  method,
  params: [],
});
const isLong = ({ kind, ...rest }: Element) =>
  kind === 'request' && 'method' in rest && rest.method === 'long';

const isSubmission = (it: Element) => it.kind === 'request' && it.method === 'submit';

it('lets others go on while a long call runs, and keeps the order of answers', async () => {
  const opened = Promise.withResolvers<void>();
  const one = (it: Element): string | Promise<string> => {
    if (isLong(it)) return opened.promise.then(() => `"long ${it.id}"`);
    opened.resolve();
    return `"short ${it.id}"`;
  };
  const elements = [element(1, 'long'), element(2, 'long'), element(3, 'short'), element(4, 'long')];
  expect(
    JSON.parse(String(await answerBatch(elements, LIMITS, { one, isLong, isSubmission, turns }))),
  ).toEqual(['long 1', 'long 2', 'short 3', 'long 4']);
});

it('keeps the number of long calls that run at a time', async () => {
  let running = 0;
  let most = 0;
  const one = async (): Promise<string> => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return '1';
  };
  const elements = Array.from({ length: 50 }, (_, i) => element(i, 'long'));
  expect(
    JSON.parse(String(await answerBatch(elements, LIMITS, { one, isLong, isSubmission, turns }))),
  ).toHaveLength(50);
  expect(most).toBe(8);
});

it('waits for what may change something before it goes on', async () => {
  const seen: string[] = [];
  const one = async ({ id }: Element): Promise<string> => {
    seen.push(`begin ${id}`);
    await new Promise(setImmediate);
    seen.push(`end ${id}`);
    return '1';
  };
  await answerBatch([element(1, 'short'), element(2, 'short')], LIMITS, { one, isLong, isSubmission, turns });
  expect(seen).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
});

it('begins neighbouring submissions in their order, and waits for all of them before it goes on', async () => {
  const seen: string[] = [];
  const one = async ({ id }: Element): Promise<string> => {
    seen.push(`begin ${id}`);
    await new Promise(setImmediate);
    seen.push(`end ${id}`);
    return `${id}`;
  };
  const elements = [element(1, 'submit'), element(2, 'submit'), element(3, 'short'), element(4, 'submit')];
  const answer = await answerBatch(elements, LIMITS, { one, isLong, isSubmission, turns });
  expect(JSON.parse(String(answer))).toEqual([1, 2, 3, 4]);
  const expected = ['begin 1', 'begin 2', 'end 1', 'end 2', 'begin 3', 'end 3', 'begin 4', 'end 4'];
  expect(seen).toEqual(expected);
});

it('puts large answers in their places without copying them', async () => {
  const large = new LargeAnswer('{"result":', Buffer.from('"é"'), '}');
  const one = ({ id }: Element) => (id === '2' || id === '3' ? large : `"${id}"`);
  const elements = [element(1, 'a'), element(2, 'b'), element(3, 'c'), element(4, 'd')];
  const answer = (await answerBatch(elements, LIMITS, { one, isLong, isSubmission, turns })) as LargeAnswer;
  const text = Buffer.concat(answer.parts.map((part) => Buffer.from(part as Uint8Array))).toString('utf8');
  expect(JSON.parse(text)).toEqual(['1', { result: 'é' }, { result: 'é' }, '4']);
  expect(answer.parts).toContain(large.parts[1]);
});
