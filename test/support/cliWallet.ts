import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { MNEMONIC } from './accounts.ts';
import type { Outcome } from './chaind.ts';
import { chaindHere } from './chaindHere.ts';
import { type DevNode, startDevNode } from './devNode.ts';

type Answer = Record<string, unknown>;

/** Commands of `chaind` against a development node, with a wallet that holds alice's key (development account 0). */
export interface CliWallet {
  readonly root: string;
  readonly node: DevNode;
  run(args: readonly string[], input?: string): Promise<Outcome>;
  query(...args: readonly string[]): Promise<Answer>;
  /** From alice, without a question. */
  tx(...args: readonly string[]): Promise<Outcome>;
  /** Sends, waits for the block, and gives the TxResponse. */
  committed(...args: readonly string[]): Promise<Answer>;
  unitsOf(account: string): Promise<bigint>;
}

/** For a file of tests: there before its first test, gone after its last. */
export function cliWallet(): CliWallet {
  let root: string;
  let node: DevNode;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'cli-wallet-'));
    node = await startDevNode({ home: join(root, 'home'), blockTimeMs: 100 });
    const key = await run(['keys', 'import', 'alice', '--password-stdin'], `${MNEMONIC}\npassword\n`);
    expect([key.code, key.err]).toEqual([0, '']);
  });
  afterAll(async () => {
    await node?.kill9();
    rmSync(root, { recursive: true, force: true });
  });
  const run: CliWallet['run'] = (args, input = '') => {
    const env = { CHAIND_HOME: join(root, 'wallet'), CHAIND_NODE: node.consensusUrl };
    return chaindHere(args, { input, env });
  };
  const query: CliWallet['query'] = async (...args) => {
    const { code, out, err } = await run(['query', ...args, '--output', 'json']);
    expect(code, err).toBe(0);
    return JSON.parse(out) as Answer;
  };
  const tx: CliWallet['tx'] = (...args) =>
    run(['tx', ...args, '--from', 'alice', '--yes', '--password-stdin'], 'password\n');
  return {
    run,
    query,
    tx,
    get root() {
      return root;
    },
    get node() {
      return node;
    },
    committed: async (...args) => {
      const { code, out, err } = await tx(...args, '--broadcast-mode', 'commit', '--output', 'json');
      expect([code, err]).toEqual([0, '']);
      return JSON.parse(out) as Answer;
    },
    unitsOf: async (account) => {
      const { balance } = await query('bank', 'balance', account, 'usei');
      return BigInt((balance as { amount: string }).amount);
    },
  };
}
