import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A directory on a file system in memory whose size can be changed while it is in use. */
export interface SmallDisk {
  /** Leaves no page free; again when the node has given some back. */
  fill(): void;
  /** Makes room again. */
  free(): void;
}

/** Mounts in a namespace of their own: nothing of the machine changes, and they end with it. */
export interface SmallDisks {
  /** The given root as it is with the mounts, for this process and its children. */
  readonly root: string;
  disk(path: string): SmallDisk;
  close(): Promise<void>;
}

/** With a user namespace where that is allowed, else as root. */
const FLAVOURS = [['-U', '-r', '-m'], ['-m']];
const ROOM_BYTES = 256 << 20;
const PAGE = 4096;

/** Why no small disk can be had; `undefined` when one can. */
export function smallDisksMissing(): string | undefined {
  return flavour() ? undefined : 'it needs the right to mount a tmpfs (unshare -Urm, or root)';
}

function flavour(): string[] | undefined {
  return FLAVOURS.find(
    (flags) => spawnSync('unshare', [...flags, 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0,
  );
}

/** Mounts a tmpfs on each of `paths` below `root`, in this order, with what is there. */
export async function openSmallDisks(root: string, paths: readonly string[]): Promise<SmallDisks> {
  const flags = flavour()!;
  const mounts = paths.map((path) => {
    const place = join(root, path);
    return `cp -a '${place}' '${place}~' && mount -t tmpfs none '${place}' && cp -a '${place}~/.' '${place}' && rm -r '${place}~'`;
  });
  const script = `${mounts.join(' && ')} && echo ready && exec sleep 86400`;
  const holder = spawn('unshare', [...flags, 'sh', '-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(holder.stdout), 'line')) as [string];
  if (line !== 'ready') throw new RangeError(`the small disks are not mounted: ${line}`);
  return {
    root: `/proc/${holder.pid}/root${root}`,
    disk: (path) => smallDisk(holder, join(root, path), flags.includes('-U')),
    close: async () => {
      const closed = once(holder, 'exit');
      holder.kill('SIGKILL');
      await closed;
    },
  };
}

function smallDisk({ pid }: ChildProcess, path: string, asUser: boolean): SmallDisk {
  const resize = (bytes: number): boolean => {
    const enter = ['-t', String(pid), '-m', ...(asUser ? ['-U', '--preserve-credentials'] : [])];
    const mount = ['mount', '-o', `remount,size=${bytes}`, path];
    return spawnSync('nsenter', [...enter, ...mount]).status === 0;
  };
  const place = `/proc/${pid}/root${path}`;
  // A name that every directory of the node leaves alone.
  const filler = join(place, 'CHAIN_DB.filler-tmp');
  return {
    fill: () => {
      const { blocks, bfree, bsize } = statfsSync(place);
      resize(Math.max(PAGE, (blocks - bfree) * bsize));
      // A page may have become free in between.
      spawnSync('sh', ['-c', `head -c 1048576 /dev/zero >> '${filler}'`], { stdio: 'ignore' });
    },
    free: () => {
      if (!resize(ROOM_BYTES)) throw new RangeError(`${path} cannot be made larger`);
      rmSync(filler, { force: true });
    },
  };
}
