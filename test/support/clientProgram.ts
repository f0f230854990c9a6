import assert from 'node:assert';
import { type ExecFileException, execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type DevNode, type DevNodeOptions, startDevNode } from './devNode.ts';

const run = promisify(execFile);
const OUTPUT_BYTES_MAX = 64 << 20;

/** Why a program cannot be used here; `undefined` when it can. */
export function missingProgram(program: string, ...args: readonly string[]): string | undefined {
  const { status } = spawnSync(program, args);
  return status === 0 ? undefined : `needs ${program} on the PATH`;
}

/** A development node, and a copy of `test/fixtures/clients/<name>` whose programs are told where it is. */
export interface ClientBench {
  readonly node: DevNode;
  readonly directory: string;
  /** Runs a program in the copy; gives what it printed. Rejects with that when it fails. */
  run(program: string, ...args: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

export async function openClientBench(
  name: string,
  options: Omit<DevNodeOptions, 'home'> = {},
): Promise<ClientBench> {
  const root = mkdtempSync(join(tmpdir(), `${name}-`));
  const directory = join(root, 'client');
  cpSync(join('test/fixtures/clients', name), directory, { recursive: true });
  const node = await startDevNode({ blockTimeMs: 0, ...options, home: join(root, 'home') });
  return {
    node,
    directory,
    run: async (program, ...args) => {
      const { stdout } = await run(program, args, {
        cwd: directory,
        maxBuffer: OUTPUT_BYTES_MAX,
        env: {
          ...process.env,
          CHAIN_URL: node.url,
          CHAIN_WS_URL: node.wsUrl,
          HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
        },
      }).catch((error: ExecFileException & { readonly stdout?: string; readonly stderr?: string }) => {
        assert.fail(`${program} ${args.join(' ')}\n${error.stdout}\n${error.stderr}`);
      });
      return stdout;
    },
    close: async () => {
      await node.kill9();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
