import { createAddress } from '../../node/src/evm/index.ts';
import { type ExplorerOptions, openExplorer } from '../../node/src/explorer/index.ts';
import { concatBytes, hexToBytes, toHexData, utf8 } from '../../node/src/primitives/index.ts';
import { type FixtureOptions, openRpcFixture, type RpcFixture } from '../../node/src/rpc/rpc.fixture.ts';
import {
  ACCOUNTS,
  COUNTER,
  growBlocks,
  REVERTER,
  sign,
} from '../../node/src/rpc/testTransactions.fixture.ts';
import { silentLogger, systemClock } from '../../platform/src/index.ts';

/** What a hostile token calls itself. */
export const MARKUP = '<script>alert(1)</script>';

/**
 * A token that answers every call with MARKUP, the text's offset being its 32 decimals; without data it logs a
 * transfer of one unit from its caller to itself.
 */
const TOKEN_CODE = concatBytes(
  hexToBytes('366032576001600052'),
  // LOG3 with Transfer, the caller and the token itself.
  hexToBytes('30337fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef60206000a300'),
  hexToBytes('5b602060005260196020527f'),
  concatBytes(utf8(MARKUP), new Uint8Array(7)),
  hexToBytes('60405260606000f3'),
);
const TOKEN_NONCE = 5n;

export interface ExplorerFixture extends RpcFixture {
  readonly token: string;
  readonly counter: string;
  /** Hashes: a transfer of the token, a call that failed with a reason, a counted call. */
  readonly transactions: Readonly<Record<'transfer' | 'failed' | 'counted', string>>;
  /** What a browser gets. */
  page(path: string): Promise<{ readonly status: number; readonly html: string }>;
}

const refused = async (): Promise<never> => {
  throw new RangeError('no ledger here');
};

/** The explorer over a chain with contracts, a hostile token, calls and a failure. */
export async function openExplorerFixture(
  options: FixtureOptions = {},
  limits: Partial<Omit<ExplorerOptions, 'names'>> = {},
): Promise<ExplorerFixture> {
  const names = { chainId: 'test-1', evmChainId: 713_714n, release: 'test' };
  const rpc = await openRpcFixture({
    ...options,
    pages: (ask, chain) =>
      openExplorer(
        { names, maxPages: 16, maxStreams: 8, artifacts: [], ...limits },
        { ask, askLedger: refused, chain, clock: systemClock, logger: silentLogger },
      ),
  });
  const records = await growBlocks(rpc);
  const token = createAddress(ACCOUNTS[1]!, TOKEN_NONCE);
  const init = hexToBytes(`60${TOKEN_CODE.length.toString(16)}80600b6000396000f3`);
  await rpc.block(sign(1, { nonce: TOKEN_NONCE, data: concatBytes(init, TOKEN_CODE) }));
  const last = await rpc.block(
    sign(1, { to: token, nonce: TOKEN_NONCE + 1n }),
    sign(2, { to: REVERTER, nonce: 2n, data: utf8(MARKUP) }),
  );
  const hashOf = ({ receipts }: typeof last, index: number) => toHexData(receipts[index]!.transactionHash);
  return {
    ...rpc,
    token: toHexData(token),
    counter: toHexData(COUNTER),
    transactions: {
      transfer: hashOf(last, 0),
      failed: hashOf(last, 1),
      counted: hashOf(records[1]!, 0),
    },
    page: async (path) => {
      const answer = await fetch(`${rpc.url}${path}`, { headers: { accept: 'text/html' } });
      return { status: answer.status, html: await answer.text() };
    },
  };
}
