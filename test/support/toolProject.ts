import assert from 'node:assert';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A project of another toolchain, copied so that what it builds is thrown away. */
export interface ToolProject {
  readonly directory: string;
  /** Runs a program of `node_modules/.bin` in it; gives what it printed. Rejects with that when it fails. */
  run(program: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  remove(): void;
}

/** Copies `test/fixtures/<name>`; packages are those of this repository, the user's caches stay untouched. */
export function openToolProject(name: string): ToolProject {
  const root = mkdtempSync(join(tmpdir(), `${name}-`));
  const directory = join(root, 'project');
  cpSync(join('test/fixtures', name), directory, { recursive: true });
  symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
  const programs = resolve('node_modules/.bin');
  return {
    directory,
    run: async (program, args, env = {}) => {
      const path = [dirname(process.execPath), programs, process.env.PATH].join(delimiter);
      const own = { HOME: root, FOUNDRY_DISABLE_NIGHTLY_WARNING: '1', NO_COLOR: '1', CI: '1', PATH: path };
      const { stdout } = await run(join(programs, program), args, {
        cwd: directory,
        env: { ...process.env, ...own, ...env },
      }).catch((error: { readonly stdout?: string; readonly stderr?: string }) => {
        assert.fail(`${program} ${args.join(' ')}\n${error.stdout}\n${error.stderr}`);
      });
      return stdout;
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
