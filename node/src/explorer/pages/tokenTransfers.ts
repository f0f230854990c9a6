import { type Html, html } from '@chain/platform/pages';
import type { RpcLog } from '../chain/rpcObjects.ts';
import { readToken, type TokenFacts } from '../chain/tokenReader.ts';
import { addressLink } from '../format/links.ts';
import { scaled } from '../format/numbers.ts';
import { table } from '../format/tables.ts';
import type { PageRequest } from '../server/pageRequest.ts';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const MAX_TRANSFERS = 100;
/** Tokens that are asked for their symbols. */
const MAX_TOKENS = 10;

/** The token transfers that logs tell of: ERC-20 by amount, ERC-721 by id. */
export async function tokenTransfers(logs: readonly RpcLog[], request: PageRequest): Promise<Html | false> {
  const transfers = logs
    .filter(({ topics }) => topics[0] === TRANSFER && topics.length >= 3)
    .slice(0, MAX_TRANSFERS);
  if (transfers.length === 0) return false;
  const addresses = [...new Set(transfers.map(({ address }) => address))].slice(0, MAX_TOKENS);
  const known = new Map<string, TokenFacts>();
  await Promise.all(
    addresses.map(async (address) => {
      const token = await readToken(address, request);
      if (token) known.set(address, token);
    }),
  );
  const rows = transfers.map((log) => {
    const token = known.get(log.address);
    return [
      addressLink(log.address, token?.symbol),
      addressLink(addressOf(log.topics[1])),
      addressLink(addressOf(log.topics[2])),
      amountOf(log, token?.decimals ?? 0),
    ];
  });
  return html`<h2>Token transfers</h2>${table(
    'Token transfers',
    [{ title: 'Token' }, { title: 'From' }, { title: 'To' }, { title: 'Amount', isNumber: true }],
    rows,
    '',
  )}`;
}

function addressOf(topic: string | undefined): string {
  return `0x${topic?.slice(-40) ?? ''}`;
}

function amountOf({ topics, data }: RpcLog, decimals: number): string {
  const id = topics[3];
  if (id !== undefined) return `id ${BigInt(id)}`;
  return /^0x[0-9a-f]{64}$/i.test(data) ? scaled(BigInt(data), decimals) : '?';
}
