import type { NodeConfig } from '../config/index.ts';
import { DEVELOPMENT_BALANCE_WEI } from '../execution/index.ts';
import { DEVELOPMENT_MNEMONIC, type HdAccount } from '../keys/index.ts';
import { toBech32, toChecksumAddress, toHexData } from '../primitives/index.ts';
import type { RunningNode } from './node.ts';

const WEI_PER_TOKEN = 10n ** 18n;

/** What development nodes print: the accounts, their (well-known) keys, and where to connect. */
export function developmentBanner(
  { chain, rpcUrl, webSocketUrl, consensusUrl, grpcAddress, restUrl, adminUrl }: RunningNode,
  { config, accounts }: { readonly config: NodeConfig; readonly accounts: readonly HdAccount[] },
): string {
  const { app, home } = config;
  const tokens = DEVELOPMENT_BALANCE_WEI / WEI_PER_TOKEN;
  const numbered = (line: (account: HdAccount) => string) =>
    accounts.map((account) => `(${account.index}) ${line(account)}`);
  const lines = [
    '',
    'Available Accounts',
    '==================',
    ...numbered(
      ({ evmAddress, chainAddress }) =>
        `${toChecksumAddress(evmAddress)}  ${toBech32(chainAddress)}  (${tokens} tokens)`,
    ),
    '',
    'Private Keys (known to the world: never send them anything of value)',
    '==================',
    ...numbered(({ privateKey }) => toHexData(privateKey)),
    '',
    'Wallet',
    '==================',
    `Mnemonic:        ${DEVELOPMENT_MNEMONIC}`,
    "Derivation path: m/44'/60'/0'/0/",
    '',
    `Chain id ${chain.pendingContext().evmChainId} · ${chain.pendingContext().chainId} · height ${chain.height}`,
    `Home      ${home}${app['state-store']['evm-ss-split'] ? ' (split EVM store)' : ''}`,
    `JSON-RPC  ${rpcUrl ?? 'off'}`,
    `WebSocket ${webSocketUrl ?? 'off'}`,
    `Consensus ${consensusUrl ?? 'off'}`,
    `gRPC      ${grpcAddress ?? 'off'}`,
    `REST      ${restUrl ?? 'off'}`,
    `Admin     ${adminUrl ? `${adminUrl}/metrics` : 'off'}`,
    ...(app.explorer.enabled && rpcUrl ? [`Explorer  ${rpcUrl}/ (open it in a browser)`] : []),
    '',
  ];
  return `${lines.join('\n')}\n`;
}
