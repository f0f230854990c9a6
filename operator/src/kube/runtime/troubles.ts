import { isCodedError, messageOf } from '@chain/platform';
import { sortOfTrouble } from '../client/sortOfTrouble.ts';

interface Trouble {
  readonly sort: string;
  /** The API server's, not the key's own: when it ends for one key it has most likely ended for all. */
  readonly isServers: boolean;
  /** It was chosen to find out whether it still is. */
  isTried: boolean;
}

/** Why keys fail: told when it changes, and whom the end of it concerns. */
export class Troubles {
  readonly #byKey = new Map<string, Trouble>();

  /** Whether that is news. */
  failed(key: string, error: unknown): boolean {
    const before = this.#byKey.get(key);
    const sort = sortOfTrouble(messageOf(error));
    this.#byKey.set(key, { sort, isServers: isServers(error), isTried: false });
    return before?.sort !== sort;
  }

  /** How many keys the API server lets fail. */
  get ofServer(): number {
    let count = 0;
    for (const { isServers: is } of this.#byKey.values()) if (is) count++;
    return count;
  }

  /** The next of those that were not tried since they failed, `most` at most; they count as tried from then on. */
  nextOfServer(most: number): readonly string[] {
    const next: string[] = [];
    for (const [key, trouble] of this.#byKey) {
      if (next.length === most) break;
      if (!trouble.isServers || trouble.isTried) continue;
      trouble.isTried = true;
      next.push(key);
    }
    return next;
  }

  /** `wasServers`: others may now come through as well. Undefined when the key had no trouble. */
  worked(key: string): { readonly wasServers: boolean } | undefined {
    const before = this.#byKey.get(key);
    this.#byKey.delete(key);
    return before && { wasServers: before.isServers };
  }
}

/** No immediate retry mends it, and nobody tells when it has ended. */
export function isServers(error: unknown): boolean {
  return (
    isCodedError(error, 'KUBE_FORBIDDEN') ||
    isCodedError(error, 'KUBE_UNAUTHORIZED') ||
    isCodedError(error, 'KUBE_UNAVAILABLE')
  );
}
