import { type Html, html } from '@chain/platform/pages';
import type { RpcLog } from '../chain/rpcObjects.ts';
import { readToken } from '../chain/tokenReader.ts';
import { addressLink } from '../format/links.ts';
import { scaled } from '../format/numbers.ts';
import { table } from '../format/tables.ts';
import type { PageRequest } from '../server/pageRequest.ts';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const BALANCE_OF = '0x70a08231';
/** Tokens are found by the transfers to an account in the newest blocks. */
const BLOCKS = 2000;
const MAX_TOKENS = 10;

/** ERC-20 tokens that came to an account lately, with its balances; nothing where there are none. */
export async function heldTokens(address: string, request: PageRequest): Promise<Html | false> {
  const { rpc } = request;
  const word = address.slice(2).toLowerCase().padStart(64, '0');
  const height = Number(await rpc.get<string>('eth_blockNumber'));
  const logs = await rpc.find<readonly RpcLog[]>('eth_getLogs', {
    fromBlock: `0x${Math.max(1, height - BLOCKS).toString(16)}`,
    toBlock: 'latest',
    topics: [TRANSFER, null, `0x${word}`],
  });
  const found = [
    ...new Set((logs ?? []).filter(({ topics }) => topics.length === 3).map((log) => log.address)),
  ];
  const rows = await Promise.all(
    found.slice(0, MAX_TOKENS).map(async (token) => {
      const [facts, balance] = await Promise.all([
        readToken(token, request),
        rpc.find<string>('eth_call', { to: token, data: `${BALANCE_OF}${word}`, gas: '0x30d40' }, 'latest'),
      ]);
      if (!facts || balance === undefined || !/^0x[0-9a-f]{64}$/.test(balance)) return [];
      return [[addressLink(token, facts.symbol), facts.name, scaled(BigInt(balance), facts.decimals)]];
    }),
  );
  const shown = rows.flat();
  if (shown.length === 0) return false;
  return html`<h2>Tokens</h2>${table(
    'Tokens',
    [{ title: 'Token' }, { title: 'Name' }, { title: 'Balance', isNumber: true }],
    shown,
    '',
  )}<p class="dim">Of the transfers in the newest ${BLOCKS} blocks.</p>`;
}
