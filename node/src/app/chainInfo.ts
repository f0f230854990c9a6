import { join } from 'node:path';
import { CONFIG_FILES } from '@chain/platform/contract';
import { loadConfig, type NodeConfig } from '../config/index.ts';
import { BASE_DENOMINATION } from '../ledger/index.ts';
import { BECH32_PREFIX, DECIMAL_ONE } from '../primitives/index.ts';
import { baseGasPrice } from './gasPrice.ts';
import { readGenesis } from './genesis.ts';

export interface ChainInfoOptions {
  readonly home: string;
  /** Where wallets reach the node; the addresses that it listens on by default. */
  readonly rpc?: string | undefined;
  readonly rest?: string | undefined;
  readonly evmRpc?: string | undefined;
  readonly chainName?: string | undefined;
}

const CURRENCY = { coinDenom: 'SEI', coinMinimalDenom: BASE_DENOMINATION, coinDecimals: 6 } as const;
/** Keys come from m/44'/60', as those of Ethereum's wallets. */
const COIN_TYPE = 60;
/** Prices that a wallet offers, in hundredths of the least one. */
const PRICE_STEPS = { low: 100n, average: 150n, high: 200n } as const;

/** What Keplr and its relatives take to add the ledger (`experimentalSuggestChain`). */
export async function chainInfo(options: ChainInfoOptions) {
  const { config, genesis, urls } = await readHome(options);
  const { account, validator, consensus } = BECH32_PREFIX;
  const price = baseGasPrice(config.app.base['minimum-gas-prices']);
  const priceAt = (hundredths: bigint): number => Number((price * hundredths) / 100n) / Number(DECIMAL_ONE);
  const { low, average, high } = PRICE_STEPS;
  const gasPriceStep = { low: priceAt(low), average: priceAt(average), high: priceAt(high) };
  return {
    chainId: genesis.doc.chainId,
    chainName: options.chainName ?? genesis.doc.chainId,
    rpc: urls.rpc,
    rest: urls.rest,
    bip44: { coinType: COIN_TYPE },
    bech32Config: {
      bech32PrefixAccAddr: account,
      bech32PrefixAccPub: `${account}pub`,
      bech32PrefixValAddr: validator,
      bech32PrefixValPub: `${validator}pub`,
      bech32PrefixConsAddr: consensus,
      bech32PrefixConsPub: `${consensus}pub`,
    },
    currencies: [CURRENCY],
    feeCurrencies: [{ ...CURRENCY, gasPriceStep }],
    stakeCurrency: CURRENCY,
    features: [],
  };
}

/** The same of the EVM side, which wallets keep as a chain of its own: its unit is the wei. */
export async function evmChainInfo(options: ChainInfoOptions) {
  const { genesis, urls } = await readHome(options);
  const { evmChainId } = genesis.state;
  const currency = { ...CURRENCY, coinMinimalDenom: 'wei', coinDecimals: 18 };
  return {
    chainId: `eip155:${evmChainId}`,
    chainName: options.chainName ?? `${genesis.doc.chainId} EVM`,
    rpc: urls.evmRpc,
    rest: urls.evmRpc,
    evm: { chainId: Number(evmChainId), rpc: urls.evmRpc },
    bip44: { coinType: COIN_TYPE },
    currencies: [currency],
    feeCurrencies: [currency],
    features: [],
  };
}

async function readHome({ home, rpc, rest, evmRpc }: ChainInfoOptions) {
  const config = await loadConfig({ home });
  const genesis = await readGenesis(join(home, CONFIG_FILES.genesis));
  const listeners = listenersOf(config);
  const urls = {
    rpc: rpc ?? listeners.rpc,
    rest: rest ?? listeners.rest,
    evmRpc: evmRpc ?? listeners.evmRpc,
  };
  return { config, genesis, urls };
}

/** Where a wallet on the same machine finds the services. */
function listenersOf({ app, comet }: NodeConfig): { rpc: string; rest: string; evmRpc: string } {
  const url = (address: string): string =>
    address.replace(/^tcp:\/\//, 'http://').replace('0.0.0.0', '127.0.0.1');
  return {
    rpc: url(comet.rpc.laddr),
    rest: url(app.api.address),
    evmRpc: url(`http://${app.evm.address}:${app.evm.http_port}`),
  };
}
