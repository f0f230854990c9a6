import { CodedError, isCodedError, type Logger } from '@chain/platform';
import type { Chain } from '../chain/index.ts';

const CODE = 'APP_HALT_HEIGHT';

interface HaltDeps {
  readonly chain: Pick<Chain, 'height' | 'onBlock'>;
  readonly logger: Logger;
  readonly onFatal: (error: unknown) => void;
}

/** Stops the node after block `haltHeight`; 0 is never. Throws APP_HALT_HEIGHT when that block is there already. */
export function stopAtHeight(haltHeight: number, { chain, logger, onFatal }: HaltDeps): void {
  if (haltHeight === 0) return;
  const reached = new CodedError(
    CODE,
    `the chain has reached halt-height = ${haltHeight} of app.toml; install the release that goes on, then take the setting out`,
    { fields: { haltHeight } },
  );
  if (chain.height >= haltHeight) throw reached;
  chain.onBlock(({ block: { header } }) => {
    if (header.height < haltHeight) return;
    logger.info('The halt height is reached', { height: header.height });
    onFatal(reached);
  });
}

/** Whether a node was told to end by its own settings. */
export function isHaltHeight(error: unknown): boolean {
  return isCodedError(error, CODE);
}
