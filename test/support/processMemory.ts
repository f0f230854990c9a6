import { readFileSync } from 'node:fs';

/**
 * Bytes in memory of a process (Linux): now, or at its highest. Not `maxRSS`, which a process inherits from the one
 * that started it.
 */
export function processMemory(pid: number | 'self', which: 'VmRSS' | 'VmHWM'): number {
  const line = new RegExp(`^${which}:\\s+(\\d+) kB$`, 'm');
  const [, kibibytes] = line.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}
