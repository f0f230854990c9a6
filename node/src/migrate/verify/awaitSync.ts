import { setTimeout as pause } from 'node:timers/promises';
import type { ControlClient, ControlStatus } from '../control.ts';
import { migrationErrors } from '../migrationErrors.ts';

const LOOK_MS = 500;

/** Waits for the snapshot and the first block behind it. Throws MIGRATE_SYNC when nothing moves for `limitMs`. */
export async function awaitSync(
  { control, tell }: { readonly control: ControlClient; readonly tell: (message: string) => void },
  limitMs: number,
): Promise<void> {
  let shown = '';
  let moved = Date.now();
  for (;;) {
    const status = await control.status();
    if (status?.phase === 'running' && (status.height ?? 0) > 0) return;
    refuseWhenStopped(status);
    const now = describe(status);
    if (now !== shown) {
      shown = now;
      moved = Date.now();
      tell(`the node is ${now}`);
    }
    if (Date.now() - moved > limitMs) {
      throw migrationErrors.sync(
        `the node is ${now} since ${Math.round(limitMs / 1000)} s; look whether a peer has snapshots, then run "stop" and the migration again, with other --peers if need be`,
      );
    }
    await pause(LOOK_MS);
  }
}

function describe(status: ControlStatus | undefined): string {
  if (!status) return 'not running';
  return status.progress === undefined ? status.phase : `${status.phase}, ${status.progress}`;
}

function refuseWhenStopped(status: ControlStatus | undefined): void {
  if (status?.phase !== 'parked' || status.failure === undefined) return;
  throw migrationErrors.sync(
    `the node has stopped: ${status.failure}; run the step "stop", then the migration again`,
  );
}
