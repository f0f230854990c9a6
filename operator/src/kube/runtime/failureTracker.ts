import { isCodedError, messageOf } from '@chain/platform';
import { errorFingerprint } from '../client/errorFingerprint.ts';

interface Failure {
  readonly fingerprint: string;
  /** The API server's, not the key's own: when it ends for one key it has most likely ended for all. */
  readonly isApiServerFault: boolean;
  /** It was chosen to find out whether it still is. */
  isTried: boolean;
}

/** Why keys fail: told when it changes, and whom the end of it concerns. */
export class FailureTracker {
  readonly #byKey = new Map<string, Failure>();

  /** Whether that is news. */
  failed(key: string, error: unknown): boolean {
    const before = this.#byKey.get(key);
    const fingerprint = errorFingerprint(messageOf(error));
    this.#byKey.set(key, { fingerprint, isApiServerFault: isApiServerFault(error), isTried: false });
    return before?.fingerprint !== fingerprint;
  }

  /** How many keys the API server lets fail. */
  get ofServer(): number {
    let count = 0;
    for (const { isApiServerFault: is } of this.#byKey.values()) if (is) count++;
    return count;
  }

  /** The next of those that were not tried since they failed, `most` at most; they count as tried from then on. */
  nextOfServer(most: number): readonly string[] {
    const next: string[] = [];
    for (const [key, failure] of this.#byKey) {
      if (next.length === most) break;
      if (!failure.isApiServerFault || failure.isTried) continue;
      failure.isTried = true;
      next.push(key);
    }
    return next;
  }

  /** `wasApiServerFault`: others may now come through as well. Undefined when the key had no failure. */
  worked(key: string): { readonly wasApiServerFault: boolean } | undefined {
    const before = this.#byKey.get(key);
    this.#byKey.delete(key);
    return before && { wasApiServerFault: before.isApiServerFault };
  }
}

/** No immediate retry mends it, and nobody tells when it has ended. */
export function isApiServerFault(error: unknown): boolean {
  return (
    isCodedError(error, 'KUBE_FORBIDDEN') ||
    isCodedError(error, 'KUBE_UNAUTHORIZED') ||
    isCodedError(error, 'KUBE_UNAVAILABLE')
  );
}
