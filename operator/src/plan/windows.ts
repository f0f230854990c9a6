import { Cron } from 'croner';
import type { ChainNodeFleetSpec } from '../api/index.ts';
import { secondsOf } from '../resources/index.ts';

type Windows = ChainNodeFleetSpec['update']['windows'];

/** Whether changes may begin now; always, when there is no window. A window is open from each moment of its `cron`. */
export function isWindowOpen(windows: Windows, nowMs: number): boolean {
  if (windows.length === 0) return true;
  return windows.some(({ cron, duration, timeZone }) => {
    const durationMs = secondsOf(duration) * 1000;
    const opened = new Cron(cron, { timezone: timeZone }).nextRun(new Date(nowMs - durationMs));
    return opened !== null && opened.getTime() <= nowMs;
  });
}

/** Milliseconds until the next window opens; `undefined` when none ever does. */
export function opensAfterMs(windows: Windows, nowMs: number): number | undefined {
  const next = windows.flatMap(({ cron, timeZone }) => {
    const opens = new Cron(cron, { timezone: timeZone }).nextRun(new Date(nowMs));
    return opens ? [opens.getTime() - nowMs] : [];
  });
  return next.length === 0 ? undefined : Math.min(...next);
}
