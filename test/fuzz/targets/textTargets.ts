import { clientOf, isCodedError, JSON_LIMITS, parseIp, parseJson } from '@chain/platform';
import { parseAppToml, parseConfigToml } from '../../../node/src/config/loadConfig.ts';
import { parseQuery } from '../../../node/src/eventQuery/query/parseQuery.ts';
import { parseTime as parseQueryTime } from '../../../node/src/eventQuery/query/queryTime.ts';
import { openProtoSchema } from '../../../node/src/proto/index.ts';
import { parseBody } from '../../../node/src/rpc/dispatch/envelope.ts';
import { METHODS } from '../../../node/src/rpc/index.ts';
import { RequestHeads } from '../../../platform/src/servers/lane/requestHead.ts';
import { readProxyHeader } from '../../../sidecars/rateLimiter/src/client/proxyHeader.ts';
import { pickCalls } from '../../../sidecars/rateLimiter/src/rules/pickCalls.ts';
import { readCalls, UnreadableCalls } from '../../../sidecars/rateLimiter/src/rules/readCalls.ts';
import type { FuzzTarget } from '../fuzzTarget.ts';
import { must } from '../must.ts';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const isSyntax = (error: unknown): boolean => error instanceof SyntaxError || isCodedError(error);
const CALL = '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x00"},"latest"]}';
const schema = openProtoSchema();
const INPUTS = [...new Set(schema.methods.map(({ input }) => input))];
const ADDRESS = `0x${'ab'.repeat(20)}`;
const WORD = `0x${'01'.repeat(32)}`;

/** A parameter of a JSON-RPC method: the method by the first line, its arguments as a list behind it. */
const methodTarget = (name: string, methods: RegExp, seeds: readonly unknown[]): FuzzTarget => {
  const params = METHODS.filter((method) => methods.test(method.name)).flatMap((method) => [
    ...method.params,
  ]);
  return {
    name,
    read: (bytes) => {
      const value = parseJson(bytes);
      let refused: unknown;
      for (const param of params) {
        try {
          param.decode(value);
        } catch (error) {
          if (!isCodedError(error)) throw error;
          refused = error;
        }
      }
      if (refused) throw refused;
    },
    seeds: seeds.map((seed) => JSON.stringify(seed)),
    refuses: isSyntax,
  };
};

/** What a client, a page or an operator writes. */
export const TEXT_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'json',
    read: (bytes) => JSON.stringify(parseJson(bytes)),
    seeds: [
      CALL,
      '[[[[1e5,-0.5,"\\ud83d\\ude00"]]]]',
      `${'['.repeat(JSON_LIMITS.maxDepth)}${']'.repeat(JSON_LIMITS.maxDepth)}`,
    ],
    refuses: isSyntax,
  },
  {
    name: 'rpcBody',
    read: (bytes) => parseBody(text(bytes)),
    seeds: [CALL, `[${CALL},${CALL}]`],
    refuses: isSyntax,
  },
  methodTarget('logQuery', /^eth_(getLogs|newFilter)$/, [
    { fromBlock: '0x1', toBlock: 'latest', address: [ADDRESS], topics: [WORD, null, [WORD, WORD]] },
    { blockHash: WORD },
  ]),
  methodTarget('traceConfig', /^debug_trace/, [
    { tracer: 'callTracer', timeout: '5s', tracerConfig: { onlyTopCall: true }, enableMemory: true },
    {
      tracer: 'muxTracer',
      tracerConfig: { callTracer: {}, prestateTracer: { diffMode: true } },
      stateOverrides: {},
    },
  ]),
  methodTarget('callRequest', /^eth_(call|estimateGas|createAccessList|simulateV1)$/, [
    {
      from: ADDRESS,
      to: ADDRESS,
      gas: '0x5208',
      value: '0x1',
      data: '0x01',
      accessList: [{ address: ADDRESS, storageKeys: [WORD] }],
    },
    { [ADDRESS]: { balance: '0x1', nonce: '0x1', code: '0x60', state: { [WORD]: WORD } } },
    { blockStateCalls: [{ calls: [{ to: ADDRESS }], blockOverrides: { number: '0x5' } }], validation: true },
  ]),
  methodTarget('rpcParameters', /./, [
    'latest',
    '0x10',
    WORD,
    ADDRESS,
    [25, 75],
    true,
    5,
    { blockHash: WORD },
    '0xabcdef',
  ]),
  {
    name: 'eventQuery',
    read: (bytes) => {
      const { canonical } = parseQuery(text(bytes));
      must('is read again from its canonical text', parseQuery(canonical).canonical === canonical);
    },
    seeds: [
      "tm.event='Tx' AND tx.height>=5 AND transfer.sender CONTAINS 'chain1' AND a.b EXISTS",
      't.a = TIME 2026-03-01T10:00:00Z AND t.b < DATE 2026-03-01 AND c.d = 1.5',
    ],
  },
  { name: 'queryTime', read: (bytes) => parseQueryTime(text(bytes)), seeds: ['2026-03-01T10:00:00.5+02:00'] },
  {
    name: 'appToml',
    read: (bytes) => parseAppToml(text(bytes)),
    seeds: ['[evm]\nhttp_port = 8545\ndeny_list = ["a"]\n[node]\nmode = "rpc"\n'],
  },
  {
    name: 'configToml',
    read: (bytes) => parseConfigToml(text(bytes)),
    seeds: ['moniker = "a"\n[p2p]\nladdr = "tcp://127.0.0.1:26656"\n[consensus]\ntimeout-propose = "3s"\n'],
  },
  {
    name: 'protoJson',
    read: (bytes) => schema.fromJson(INPUTS[(bytes[0] ?? 0) % INPUTS.length]!, text(bytes.subarray(1))),
    seeds: ['\u0000{"address":"chain1abc","pagination":{"limit":"5","key":"AAE="}}', '\u0001{}'],
  },
  {
    name: 'protoParameters',
    read: (bytes) => {
      const parameters = new URLSearchParams(text(bytes.subarray(1)));
      return schema.fromParameters(INPUTS[(bytes[0] ?? 0) % INPUTS.length]!, parameters);
    },
    seeds: [
      '\u0000address=chain1abc&pagination.limit=5',
      '\u0002pagination.key=AAE%3D&pagination.reverse=true',
    ],
  },
  {
    name: 'protoMessage',
    read: (bytes) => schema.toJson(INPUTS[(bytes[0] ?? 0) % INPUTS.length]!, bytes.subarray(1)),
    seeds: [Buffer.from('000a0361626312020805', 'hex'), Buffer.from('0a0a0361626312020805', 'hex')],
  },
  {
    name: 'limiterBatch',
    read: (bytes) => {
      const body = Buffer.from(bytes);
      const calls = readCalls(body);
      if (calls instanceof UnreadableCalls || !calls.isBatch) return;
      const picked = readCalls(Buffer.from(`[${pickCalls(body, () => true).join(',')}]`));
      must(
        'is the same calls when it is written anew',
        !(picked instanceof UnreadableCalls) &&
          picked.calls.every((call, i) => call.method === calls.calls[i]!.method),
      );
    },
    seeds: [`[${CALL},{"id":12345678901234567890,"method":"status"}]`],
  },
  {
    name: 'proxyHeader',
    read: (bytes) => readProxyHeader(Buffer.from(bytes)),
    seeds: [
      'PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n',
      Buffer.from('0d0a0d0a000d0a515549540a2111000c0102030405060708000100 02'.replace(' ', ''), 'hex'),
    ],
  },
  {
    name: 'requestHead',
    read: (bytes) => new RequestHeads({ maxBytes: 16_384 }).read(Buffer.from(bytes), 0),
    seeds: [
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nAuthorization: Bearer x\r\n\r\n{}',
      'GET /a?b=c HTTP/1.1\r\nHost: [::1]:80\r\n\r\n',
    ],
  },
  {
    name: 'clientAddress',
    read: (bytes) => [parseIp(text(bytes)), clientOf(text(bytes))],
    seeds: ['::ffff:1.2.3.4', '2001:db8::1%eth0', '10.0.0.1'],
  },
];
