import { execFileSync } from 'node:child_process';

/** Paths of the repository's files of a pattern, also of those that are new and not ignored, from its root. */
export function trackedFiles(pattern = '*.ts'): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', pattern], {
    encoding: 'utf8',
  });
  return listed.split('\n').filter((path) => path !== '');
}
