import { join } from 'node:path';
import { type Clock, CodedError, type Logger } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import type { MetricsRegistry } from '@chain/platform/metrics';
import type { Chain } from '../chain/index.ts';
import { createEmbeddedEngine, type EmbeddedEngine } from '../consensus/index.ts';
import { openValidatorSigner } from '../keys/index.ts';
import type { Mempool } from '../mempool/index.ts';
import { equalBytes } from '../primitives/index.ts';
import type { Genesis } from './genesis.ts';

/** The newest block's commit, which no block holds yet. */
export const COMMIT_FILE = 'data/last_commit.pb';

export interface EngineOptions {
  readonly home: string;
  readonly genesis: Genesis;
  /** See `EmbeddedEngineOptions.blockTimeMs`. */
  readonly blockTimeMs: number;
}

export interface EngineDeps {
  readonly chain: Chain;
  readonly mempool: Mempool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly onFatal: (error: unknown) => void;
}

/** The embedded engine on this home's validator key, which must be the genesis' only one. */
export async function openEngine(options: EngineOptions, deps: EngineDeps): Promise<EmbeddedEngine> {
  const { home, blockTimeMs, genesis } = options;
  const { chain, mempool, ...rest } = deps;
  const { doc } = genesis;
  const signer = await openValidatorSigner({
    keyFile: join(home, CONFIG_FILES.validatorKey),
    stateFile: join(home, CONFIG_FILES.validatorState),
  });
  requireSoleValidator(genesis, signer.publicKey);
  const { consensusParams: params } = doc;
  return createEmbeddedEngine(
    {
      chainId: doc.chainId,
      blockTimeMs,
      maxBytes: params.block.maxBytes,
      maxGas: params.block.maxGas,
      appProtocol: params.version.app,
      commitFile: join(home, COMMIT_FILE),
    },
    { ...rest, signer, executor: chain, pool: mempool },
  );
}

/** Throws APP_NOT_THE_VALIDATOR unless the genesis has this key, and no other, as its validator. */
export function requireSoleValidator({ doc: { validators } }: Genesis, publicKey: Uint8Array): void {
  const [validator, ...others] = validators;
  if (validator && others.length === 0 && equalBytes(validator.publicKey, publicKey)) return;
  throw new CodedError(
    'APP_NOT_THE_VALIDATOR',
    `the embedded engine needs its own key, and no other, as the validator of ${CONFIG_FILES.genesis}; put back the ${CONFIG_FILES.validatorKey} that belongs to it, or set [node] engine = "cometbft"`,
    { fields: { validators: validators.length } },
  );
}
