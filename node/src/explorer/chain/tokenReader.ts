import { parseJson } from '@chain/platform';
import type { AbiBook } from '../abi/abiBook.ts';
import type { RpcReader } from './rpcReader.ts';

/** What a token says of itself; a contract may say anything. */
export interface TokenFacts {
  readonly name: string | undefined;
  readonly symbol: string;
  readonly decimals: number;
  readonly supply: bigint | undefined;
}

const SELECTORS = { name: '0x06fdde03', symbol: '0x95d89b41', decimals: '0x313ce567', supply: '0x18160ddd' };
const MAX_TEXT = 60;
const MAX_DECIMALS = 77;
/** A getter of a token needs no more. */
const CALL_GAS = '0x30d40';

/** `undefined` where `address` answers no `symbol` and `decimals`. */
export async function readToken(
  address: string,
  { rpc, abis }: { readonly rpc: RpcReader; readonly abis: AbiBook },
): Promise<TokenFacts | undefined> {
  const ask = async (selector: string): Promise<string | undefined> => {
    const output = await rpc.find<string>(
      'eth_call',
      { to: address, data: selector, gas: CALL_GAS },
      'latest',
    );
    return output === undefined ? undefined : abis.output(selector, output)?.values[0]?.text;
  };
  const [symbol, decimals] = await Promise.all([ask(SELECTORS.symbol), ask(SELECTORS.decimals)]);
  if (symbol === undefined || decimals === undefined || Number(decimals) > MAX_DECIMALS) return undefined;
  const [name, supply] = await Promise.all([ask(SELECTORS.name), ask(SELECTORS.supply)]);
  return {
    name: name === undefined ? undefined : plain(name),
    symbol: plain(symbol),
    decimals: Number(decimals),
    supply: supply === undefined ? undefined : BigInt(supply),
  };
}

/** Without the quotes that decoded texts have, and short enough for a line. */
function plain(quoted: string): string {
  let text: string;
  try {
    text = String(parseJson(quoted));
  } catch {
    // It was cut.
    text = quoted;
  }
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
