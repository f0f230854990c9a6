import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEVELOPMENT_METHODS, METHODS } from '../../node/src/rpc/index.ts';
import { type ConformanceChain, startConformanceChain } from './conformanceChain.ts';
import { METHOD_CALLS } from './methodCalls.ts';
import { openRpcValidator, problems, standardValidatorOf } from './resultSchemas.ts';

type Schema = Readonly<Record<string, unknown>>;
interface Document {
  readonly methods: readonly {
    readonly name: string;
    readonly params: readonly unknown[];
    readonly result: { readonly schema: Schema };
  }[];
}

/** The official description of the standard methods, where it lies beside the clone; not part of the repository. */
const STANDARD = '../shared/data/execution-apis-openrpc.json.gz';
const standard: Document = existsSync(STANDARD)
  ? (JSON.parse(
      // Messages are suggestions there; geth gives that of the EVM alone, and so do we.
      gunzipSync(readFileSync(STANDARD)).toString('utf8').replaceAll('^vm execution error.*', ''),
    ) as Document)
  : { methods: [] };
/** Where this chain's rules differ: the result is another one by design. */
const OWN_RESULTS: Readonly<Record<string, string>> = {
  eth_getProof: 'ICS-23 proofs in place of a Merkle Patricia trie (spec R-17)',
};
/** The chain of this suite is a development home. */
const ALL = [...METHODS, ...DEVELOPMENT_METHODS];
/** The gate is no part of the standard (spec G-2). */
const OPEN_BY_DEFAULT = new Set(['chain_getChainAddress', 'chain_getEVMAddress', 'chain_getLedgerTx']);
const ours = new Set(ALL.map(({ name }) => name));
const common = standard.methods.filter(({ name }) => ours.has(name) && !(name in OWN_RESULTS));

let chain: ConformanceChain;
beforeAll(async () => {
  chain = await startConformanceChain();
});
afterAll(() => chain?.close());

describe('rpc_discover', () => {
  it('gives a valid OpenRPC document of every method that this caller may call', async () => {
    const document = await chain.call<Document>('rpc_discover');
    expect(problems(openRpcValidator(), document)).toEqual([]);
    expect(document.methods.map(({ name }) => name)).toEqual(
      ALL.filter(({ name, transport }) => transport !== 'webSocket' && !isGated(name)).map(
        ({ name }) => name,
      ),
    );
  });
});

const apart = existsSync(STANDARD)
  ? {}
  : { skip: true, meta: { needs: `${STANDARD}: the OpenRPC document of ethereum/execution-apis` } };
describe('the standard description', apart, () => {
  it('has methods in common with this node', () => expect(common.length).toBeGreaterThan(20));

  it.each(common.map((method) => [method.name, method] as const))(
    '%s gives what it says',
    async (name, method) => {
      const validate = standardValidatorOf(method.result.schema);
      for (const params of await METHOD_CALLS[name]!(chain)) {
        const result = await chain.call(name, ...params);
        if (isWaiting(result)) continue;
        expect(problems(validate, result), `${name} ${JSON.stringify(params)}`).toEqual([]);
      }
    },
  );
});

function isGated(name: string): boolean {
  return /^chain2?_/.test(name) && !OPEN_BY_DEFAULT.has(name);
}

/** The description has no form for a transaction that waits for a block; geth gives null for its place, and so do we. */
function isWaiting(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'blockHash' in result && result.blockHash === null;
}
