import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of its own in a file, mounted on this machine: a disk that can be filled. */
export interface LoopVolume {
  readonly path: string;
  /** Leaves so much. */
  fill(leftMb: number): void;
  free(): void;
  close(): void;
}

export function openLoopVolume(sizeMb: number): LoopVolume {
  const directory = mkdtempSync(join(tmpdir(), 'loop-volume-'));
  const [image, path] = [join(directory, 'image'), join(directory, 'mount')];
  const filler = join(path, 'filler');
  mkdirSync(path);
  execFileSync('truncate', ['-s', `${sizeMb}M`, image]);
  execFileSync('mkfs.ext4', ['-q', image]);
  execFileSync('mount', ['-o', 'loop', image, path]);
  return {
    path,
    fill: (leftMb) => {
      const free = execFileSync('df', ['--output=avail', '-BM', path], { encoding: 'utf8' });
      const size = Number(/(\d+)M/.exec(free)?.[1]) - leftMb;
      execFileSync('fallocate', ['-l', `${size}M`, filler]);
    },
    free: () => rmSync(filler, { force: true }),
    close: () => {
      execFileSync('umount', [path]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
