import assert from 'node:assert';
import { resolve } from 'node:path';
import type { Clock, Logger } from '@chain/platform';
import type { Chain } from '../chain/index.ts';
import type { NodeConfig } from '../config/index.ts';
import { openExplorer } from '../explorer/index.ts';
import type { QueryService } from '../ledgerQuery/index.ts';
import { openProtoSchema } from '../proto/index.ts';
import type { AskRpc, RpcPages } from '../rpc/index.ts';
import type { Genesis } from './genesis.ts';
import { RELEASE } from './release.ts';

interface PageParts {
  readonly chain: Chain;
  readonly queries: QueryService;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The pages of `[explorer]` beside JSON-RPC; `undefined` where they are switched off. */
export function pagesOf(
  { config: { app, home }, genesis }: { readonly config: NodeConfig; readonly genesis: Genesis },
  { chain, queries, clock, logger }: PageParts,
): ((ask: AskRpc) => RpcPages) | undefined {
  const { explorer } = app;
  if (!explorer.enabled) return undefined;
  return (ask) =>
    openExplorer(
      {
        names: {
          chainId: genesis.doc.chainId,
          evmChainId: genesis.state.evmChainId,
          release: RELEASE,
        },
        maxPages: explorer.max_pages,
        maxStreams: explorer.max_streams,
        artifacts: foldersOf(explorer.artifacts, home),
      },
      { ask, askLedger: askLedgerOf(queries), chain, clock, logger: logger.child({ room: 'explorer' }) },
    );
}

function foldersOf(text: string, home: string): string[] {
  return text
    .split(',')
    .map((folder) => folder.trim())
    .filter((folder) => folder !== '')
    .map((folder) => resolve(home, folder));
}

/** The query services by method path, with parameters and answers as their gateway has them. */
function askLedgerOf(queries: QueryService) {
  const schema = openProtoSchema();
  const methods = new Map(schema.methods.map((method) => [method.path, method]));
  return async (
    path: string,
    parameters: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<unknown> => {
    const method = methods.get(path);
    assert(method, `${path} is no method of the query services`);
    const { input, output } = method;
    const request = schema.fromParameters(input, Object.entries(parameters));
    const { bytes } = await queries.answer(path, request, { signal });
    return schema.toJson(output, bytes);
  };
}
