import { type Logger, onStopSignal } from '@chain/platform';
import { type LimiterOptions, openLimiter } from './openLimiter.ts';

/**
 * Runs until a signal, then drains: not ready, a while of serving on, no new connections, calls under way finished.
 * A second signal ends the process at once; SIGHUP loads the settings anew.
 */
export async function runLimiter(
  options: LimiterOptions,
  { logger }: { readonly logger: Logger },
): Promise<void> {
  const { promise: stopped, resolve } = Promise.withResolvers<string>();
  onStopSignal(resolve);
  const limiter = await openLimiter(options, { logger });
  const reload = (): void => void limiter.reload();
  process.on('SIGHUP', reload);
  try {
    const { limit, upstream } = options.settings;
    logger.info('Limiter is running', {
      url: limiter.url,
      admin: limiter.adminUrl,
      upstream: upstream.url,
      rate: limit.rate,
      burst: limit.burst,
    });
    const signal = await stopped;
    logger.info('Limiter is draining', { signal });
    // Nobody waits for it on a terminal.
    if (signal === 'SIGTERM') await limiter.drain();
  } finally {
    process.off('SIGHUP', reload);
    await limiter.close();
  }
  logger.info('Limiter is stopped');
}
