import { execFileSync } from 'node:child_process';

/** Paths of the repository's TypeScript, also of what is new and not ignored, from its root. */
export function trackedFiles(): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts'], {
    encoding: 'utf8',
  });
  return listed.split('\n').filter((path) => path !== '');
}
