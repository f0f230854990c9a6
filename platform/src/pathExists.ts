import { stat } from 'node:fs/promises';

/** Whether a path can be seen; one that cannot be read counts as absent. */
export async function pathExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
