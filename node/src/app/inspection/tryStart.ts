import { join } from 'node:path';
import { CodedError, createLogger, isCodedError, Lifecycle, parseJson } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import { createMetricsRegistry } from '@chain/platform/metrics';
import type { AppConfig } from '../../config/index.ts';
import { readValidatorKey } from '../../keys/index.ts';
import { refuseInterruptedRestore } from '../../state/snapshot/index.ts';
import { requireStampedEngine } from '../engineStamp.ts';
import { readGenesis } from '../genesis.ts';
import { requireSoleValidator } from '../openEngine.ts';
import { openState } from '../openState.ts';
import { readJournal } from '../rollback/rollbackJournal.ts';
import type { ShadowHome } from './shadowHome.ts';

export interface StartVerdict {
  readonly starts: boolean;
  /** Height that a start goes on from; absent when it is refused. */
  readonly height?: number;
  /** Of the refusal: what `chaind start` would print, and its code. */
  readonly reason?: string;
  readonly code?: string;
  /** What a start would warn of. */
  readonly warnings: readonly string[];
}

/** Starts the state of a home in its shadow: the same recovery and the same checks as `chaind start`. */
export async function tryStart(
  original: { readonly home: string; readonly config: AppConfig },
  shadow: ShadowHome,
): Promise<StartVerdict> {
  const warnings: string[] = [];
  const logger = createLogger({
    level: 'warn',
    write: (line) => warnings.push(shadow.named(wordsOf(line))),
  });
  const lifecycle = new Lifecycle();
  try {
    refuseInterruptedRestore(original.home);
    const genesis = await readGenesis(join(original.home, CONFIG_FILES.genesis));
    const { engine } = original.config.node;
    await requireStampedEngine(original.home, engine);
    if (engine === 'embedded') {
      const { publicKey } = await readValidatorKey(join(original.home, CONFIG_FILES.validatorKey));
      requireSoleValidator(genesis, publicKey);
    }
    const rollback = await readJournal(original.home);
    if (rollback) {
      // The start finishes it before it opens anything: what lies there now says nothing of what it opens.
      const note = `a rollback to height ${rollback.target} was cut short; the start finishes it first`;
      return { starts: true, height: rollback.target, warnings: [note] };
    }
    const { home, config } = withoutFlatKv(shadow);
    const state = await openState(
      { home, config, initialHeight: genesis.doc.initialHeight },
      { lifecycle, logger, metrics: createMetricsRegistry() },
    );
    const { version: height } = state.stateCommit;
    const found = [state.stateStore.latestVersion, state.history.latestHeight, height];
    if (new Set(found.map((each) => Math.max(each, genesis.doc.initialHeight - 1))).size > 1) {
      throw new CodedError(
        'APP_HEIGHTS_DIFFER',
        `SC is at ${height}, SS at ${found[0]} and the history at ${found[1]}; restore the data directory as a whole, or state sync`,
        { fields: { commit: height, store: found[0], history: found[1] } },
      );
    }
    return { starts: true, height, warnings };
  } catch (error) {
    if (!isCodedError(error)) throw error;
    return { starts: false, code: error.code, reason: shadow.named(error.message), warnings };
  } finally {
    await lifecycle.close();
  }
}

/** FlatKV never keeps a node from starting, and could have much to catch up with. */
function withoutFlatKv({ home, config }: ShadowHome): { home: string; config: AppConfig } {
  return { home, config: { ...config, 'state-commit': { ...config['state-commit'], 'sc-flatkv': 'off' } } };
}

/** Message and fields of a log line, as text. */
function wordsOf(line: string): string {
  const {
    level: _level,
    time: _time,
    room: _room,
    msg,
    ...fields
  } = parseJson(line) as Record<string, unknown>;
  const details = Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`);
  return [msg, ...details].join(' ');
}
