import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import { encodeBlockRecord, type History, openHistory } from '../../history/index.ts';
import { createSignState, createValidatorKey, openValidatorSigner } from '../../keys/index.ts';
import { concatBytes, sha256 } from '../../primitives/index.ts';
import { type Changelog, openChangelog } from '../../state/changelog/index.ts';
import type { Block, BlockRecord, TransactionResult, ValidatorPower } from '../../types/index.ts';
import type { BlockExecutor, TransactionPool, VoteSigner } from '../consensusEngine.ts';
import { createEmbeddedEngine, type EmbeddedEngine } from './embeddedEngine.ts';

const INITIAL_HEIGHT = 5;

/** The smallest application: its app hash is a hash over all transactions. Blocks are kept as the node keeps them. */
class DevExecutor implements BlockExecutor {
  readonly history: History;
  readonly #changelog: Changelog;
  appHash: Uint8Array = sha256(new Uint8Array(0));
  lastRecord: BlockRecord | undefined;
  /** When set, thrown by the next blocks instead of applying them. */
  failure: Error | undefined;

  readonly #validators: readonly ValidatorPower[];

  constructor(
    changelog: Changelog,
    { history, publicKey }: { readonly history: History; readonly publicKey: Uint8Array },
  ) {
    this.#changelog = changelog;
    this.#validators = [{ publicKey, power: 1n }];
    this.history = history;
    for (const record of this.records()) this.#moveTo(record);
  }

  get height(): number {
    return this.lastRecord?.block.header.height ?? 0;
  }

  get nextHeight(): number {
    return this.lastRecord ? this.height + 1 : INITIAL_HEIGHT;
  }

  validatorsAt(): readonly ValidatorPower[] {
    return this.#validators;
  }

  records(): BlockRecord[] {
    const { earliestHeight, latestHeight } = this.history;
    if (latestHeight === 0) return [];
    return Array.from(
      { length: latestHeight - earliestHeight + 1 },
      (_, i) => this.history.blockByHeight(earliestHeight + i)!,
    );
  }

  async applyBlock(block: Block): Promise<{ record: BlockRecord }> {
    if (this.failure) throw this.failure;
    const results = block.txs.map(resultOf);
    const record = {
      block,
      results,
      receipts: [],
      baseFee: 1n,
      nextBaseFee: 1n,
      gasLimit: 10n,
      events: [],
      validators: [],
      validatorUpdates: [],
    };
    const encoded = encodeBlockRecord(record);
    await this.#changelog.append({
      changes: { version: block.header.height, stores: [] },
      record: encoded,
    });
    await this.history.append(record, encoded);
    this.#moveTo(record);
    return { record };
  }

  async close(): Promise<void> {
    await this.history.close();
    await this.#changelog.close();
  }

  #moveTo(record: BlockRecord): void {
    this.appHash = sha256(concatBytes(this.appHash, ...record.block.txs));
    this.lastRecord = record;
  }
}

function resultOf(tx: Uint8Array): TransactionResult {
  const gas = BigInt(tx.length);
  return { code: 0, codespace: '', data: tx, log: '', gasWanted: gas, gasUsed: gas, events: [] };
}

/** First come, first served; a reaped transaction is gone. */
class DevPool implements TransactionPool {
  readonly #listeners = new Set<() => void>();
  #txs: Uint8Array[] = [];
  limits: unknown;

  add(...txs: Uint8Array[]): void {
    this.#txs.push(...txs);
    for (const listener of this.#listeners) listener();
  }

  reap(limits: unknown): Uint8Array[] {
    this.limits = limits;
    return this.#txs.splice(0, 3);
  }

  onTransaction(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

export interface DevNode {
  readonly engine: EmbeddedEngine;
  readonly executor: DevExecutor;
  readonly pool: DevPool;
  readonly signer: VoteSigner;
  readonly failures: unknown[];
  close(): Promise<void>;
}

/** Opens what lies in `home`, or begins a chain there. The engine is not started. */
export async function openDevNode(
  home: string,
  blockTimeMs: number,
  now: () => number = Date.now,
): Promise<DevNode> {
  const [keyFile, stateFile] = [join(home, 'key.json'), join(home, 'state.json')];
  await access(keyFile).catch(async () => {
    await createValidatorKey(keyFile, new Uint8Array(32).fill(7));
    await createSignState(stateFile);
  });
  const logger = silentLogger;
  const signer = await openValidatorSigner({ keyFile, stateFile });
  const changelog = await openChangelog({ directory: join(home, 'changelog') }, { logger });
  const history = await openHistory(
    { directory: join(home, 'history'), initialHeight: INITIAL_HEIGHT },
    { changelog, logger },
  );
  const executor = new DevExecutor(changelog, { history, publicKey: signer.publicKey });
  const pool = new DevPool();
  const failures: unknown[] = [];
  const engine = createEmbeddedEngine(
    {
      chainId: 'chain-local-1',
      blockTimeMs,
      maxBytes: 22_020_096n,
      maxGas: -1n,
      commitFile: join(home, 'consensus', 'commit'),
    },
    { executor, pool, signer, clock: { now }, logger, onFatal: (error) => failures.push(error) },
  );
  const close = async (): Promise<void> => {
    await engine.stop();
    await executor.close();
  };
  return { engine, executor, pool, signer, failures, close };
}
