import { createLogger, type Logger } from '@chain/platform';
import { loadConfig, type NodeConfig } from '../config/index.ts';
import { NodeProcess } from './control/nodeProcess.ts';
import type { StartOptions } from './startOptions.ts';

const BLOCK_TIME_MS = 400;

/** `chaind start`: runs a home until SIGINT or SIGTERM; its control socket can park the node meanwhile. */
export async function startNode(options: StartOptions): Promise<void> {
  const logger = loggerOf(await loadConfig(options));
  await new NodeProcess(options, { logger, blockTimeMs: BLOCK_TIME_MS }).run();
}

export function loggerOf({ app, warnings }: NodeConfig): Logger {
  const logger = createLogger({ level: app.node['log-level'], format: app.node['log-format'] });
  for (const warning of warnings) logger.warn('Configuration', { warning });
  return logger;
}
