import { expect, it } from 'vitest';
import { createLogger, type Logger } from './logger.ts';

/** What a logger writes, line by line. */
function written(log: (logger: Logger) => void, format: 'json' | 'pretty' = 'json'): string {
  const lines: string[] = [];
  log(createLogger({ format, level: 'debug', write: (line) => lines.push(line) }));
  return lines.join('');
}

it('writes one line of JSON a record, with its time, level, fields and message', () => {
  const line = written((logger) => logger.info('Block is committed', { height: 7 }));
  expect(JSON.parse(line)).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    height: 7,
    msg: 'Block is committed',
  });
});

it('names each field once: the innermost says what it is', () => {
  const line = written((logger) =>
    logger.child({ room: 'consensus', chain: 'a' }).child({ room: 'cometbft' }).warn('Slow', { chain: 'b' }),
  );
  expect(line.match(/"room"|"chain"/g)).toEqual(['"room"', '"chain"']);
  expect(JSON.parse(line)).toMatchObject({ room: 'cometbft', chain: 'b' });
});

it('prints numbers of any size, bytes and errors, and no record below its level', () => {
  const line = written((logger) => {
    logger.trace('unseen');
    logger.error('Failed', { gas: 1n << 70n, hash: Uint8Array.of(1, 255), error: new RangeError('too far') });
  });
  expect(JSON.parse(line)).toMatchObject({
    gas: '1180591620717411303424',
    hash: '0x01ff',
    error: { message: 'too far' },
  });
});

it('is readable on a terminal', () => {
  const line = written((logger) => logger.child({ room: 'rpc' }).info('Listening', { port: 8545 }), 'pretty');
  expect(line).toMatch(/^\d{2}:\d{2}:\d{2}\.\d{3} INFO {2}Listening {2}room=rpc port=8545\n$/);
});
