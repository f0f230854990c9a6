import { CodedError, onStopSignal } from '@chain/platform';
import { type OperatorDeps, openOperator } from './openOperator.ts';
import type { OperatorOptions } from './operatorParts.ts';

/**
 * Runs until a signal: takes nothing more, waits for what is under way, gives the lease back. A second signal ends
 * the process at once. Throws LEADER_LOST when another process leads: only a new start is safe then.
 */
export async function runOperator(options: OperatorOptions, deps: OperatorDeps): Promise<void> {
  const { logger, credentials } = deps;
  const { promise: stopped, resolve } = Promise.withResolvers<string>();
  onStopSignal(resolve);
  const operator = await openOperator(options, deps);
  logger.info('Operator is running', {
    server: credentials.server,
    admin: operator.adminUrl,
    page: operator.pageUrl,
    namespaces: options.settings.kubernetes.namespaces,
  });
  const signal = await Promise.race([stopped, operator.lost.then(() => undefined)]);
  if (signal === undefined) {
    throw new CodedError('LEADER_LOST', 'the lease was lost: the process ends, and begins as a follower');
  }
  logger.info('Operator is stopping', { signal });
  await operator.close();
  logger.info('Operator is stopped');
}
