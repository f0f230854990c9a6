import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { ControlStatus } from '../control.ts';
import { userOf } from '../homeUse.ts';
import type { Journal } from '../journal.ts';
import { migrationErrors } from '../migrationErrors.ts';
import type { Step, StepDeps } from './stepContext.ts';

const STOP_LIMIT_MS = 120_000;
const START_LIMIT_MS = 180_000;
const LOOK_MS = 200;

/** Stops the node (spec M-2). A node that is not running is stopped. */
export const stopStep: Step = async (journal, { access: { home }, control }) => {
  const { stopCommand } = journal.wish;
  const directories = journal.wipe.emptied;
  const status = await control.status();
  if (stopCommand !== undefined) await runCommand(stopCommand);
  else if (status !== undefined && status.phase !== 'parked') await control.park();
  else if (status === undefined && userOf(home, directories) !== undefined) {
    throw migrationErrors.running(
      `${home} is in use by process ${userOf(home, directories)}, which has no control socket; stop it, or add --stop-command`,
      { home },
    );
  }
  await waitUntil(
    STOP_LIMIT_MS,
    () => userOf(home, directories) === undefined,
    () =>
      migrationErrors.running(
        `${home} is still in use by process ${userOf(home, directories)} after ${STOP_LIMIT_MS / 1000} s; stop it, then run the migration again`,
        { home },
      ),
  );
  const parked = await control.status();
  if (parked?.phase !== 'parked') return { detail: 'no node is running' };
  return { detail: `process ${parked.pid} stands by, its data closed`, changes: { parkedPid: parked.pid } };
};

/** Starts the node (spec M-2). */
export const startStep: Step = async (journal, deps) => {
  const { access, control } = deps;
  const before = await control.status();
  const starter = await startIfClosed(journal, before, control);
  if (before === undefined && starter === undefined) {
    throw migrationErrors.start(
      `nothing stands by to start the node of ${access.home}; start it as you always do, then run the migration again, or add --start-command`,
      { home: access.home },
    );
  }
  const pid = await opened(deps);
  return { detail: `process ${pid} is open` };
};

/** Behind an abort: what `stop` closed is opened again, by whoever closed it. Says who does so, if anybody. */
export async function startAgain(journal: Journal, { control }: StepDeps): Promise<string | undefined> {
  const status = await control.status();
  if (status === undefined && journal.steps.stop === undefined) return undefined;
  const starter = await startIfClosed(journal, status, control);
  return starter && `${starter} starts the node again`;
}

/** Starts a node whose data are closed, and says by whom; `undefined` where it runs, or nobody can. */
async function startIfClosed(
  { wish: { startCommand } }: Journal,
  status: ControlStatus | undefined,
  control: StepDeps['control'],
): Promise<string | undefined> {
  if (status?.phase === 'parked') {
    await control.resume();
    return `process ${status.pid}`;
  }
  if (status !== undefined || startCommand === undefined) return undefined;
  await runCommand(startCommand);
  return `"${startCommand}"`;
}

/** Waits until the process says that it syncs or runs; what it says instead is told. */
async function opened({ control }: StepDeps): Promise<number> {
  let pid: number | undefined;
  let failure: string | undefined;
  await waitUntil(
    START_LIMIT_MS,
    async () => {
      const status = await control.status().catch(() => undefined);
      failure = status?.failure;
      if (status?.phase === 'syncing' || status?.phase === 'running') pid = status.pid;
      return pid !== undefined || (status?.phase === 'parked' && failure !== undefined);
    },
    () => migrationErrors.start(`the node does not open within ${START_LIMIT_MS / 1000} s; look at its log`),
  );
  if (pid !== undefined) return pid;
  throw migrationErrors.start(
    `the node refuses to start: ${failure}; correct that, then run the step "start" again`,
  );
}

async function runCommand(command: string): Promise<void> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'ignore', 'pipe'] });
  const pieces: Buffer[] = [];
  child.stderr.on('data', (piece: Buffer) => pieces.push(piece));
  const { promise, resolve } = Promise.withResolvers<number | string>();
  child.on('error', (error) => resolve(error.message));
  // Not `close`: a node that the command leaves running may hold the pipe.
  child.on('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  const code = await promise;
  child.stderr.destroy();
  if (code === 0) return;
  throw migrationErrors.start(
    `"${command}" failed (${code}): ${Buffer.concat(pieces).toString('utf8').trim().slice(-500)}; correct the command`,
    { command },
  );
}

async function waitUntil(
  limitMs: number,
  done: () => boolean | Promise<boolean>,
  late: () => Error,
): Promise<void> {
  const end = Date.now() + limitMs;
  while (!(await done())) {
    if (Date.now() > end) throw late();
    await pause(LOOK_MS);
  }
}
