import { createLogger, type Logger } from '@chain/platform';
import { loadConfig, type NodeConfig } from '../config/index.ts';
import { runUntilStopped } from './runUntilStopped.ts';

export interface StartOptions {
  readonly home: string;
  /** By setting name of app.toml. */
  readonly flags: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const BLOCK_TIME_MS = 400;

/** `chaind start`: runs a home until SIGINT or SIGTERM. */
export async function startNode(options: StartOptions): Promise<void> {
  const config = await loadConfig(options);
  const logger = loggerOf(config);
  await runUntilStopped(
    { config, blockTimeMs: BLOCK_TIME_MS, environment: options.environment },
    { logger },
    ({ chain, rpcUrl, webSocketUrl, consensusUrl, grpcAddress, restUrl }) =>
      logger.info('Node is running', {
        height: chain.height,
        jsonRpc: rpcUrl,
        webSocket: webSocketUrl,
        consensusRpc: consensusUrl,
        grpc: grpcAddress,
        rest: restUrl,
      }),
  );
}

export function loggerOf({ app, warnings }: NodeConfig): Logger {
  const logger = createLogger({ level: app.node['log-level'], format: app.node['log-format'] });
  for (const warning of warnings) logger.warn('Configuration', { warning });
  return logger;
}
