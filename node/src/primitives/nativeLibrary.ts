/** A library whose native form cannot be loaded here, and why. */
export interface MissingLibrary {
  readonly library: string;
  readonly reason: string;
}

export interface LoadedLibrary<T> {
  readonly form: T;
  /** Set when `form` is the fallback. */
  readonly missing?: MissingLibrary;
}

/** The native form of a library; where it cannot be loaded, `fallback`, which gives the same results more slowly. */
export function loadOrFallBack<T>(library: string, load: () => T, fallback: T): LoadedLibrary<T> {
  try {
    return { form: load() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { form: fallback, missing: { library, reason } };
  }
}
