/** A directory of chain data that the settings name; it may lie outside `data/` and outside the home. */
export interface DataDirectory {
  readonly path: string;
  /** `base SS`, `EVM SS`, …, for messages. */
  readonly about: string;
}

/** What the settings and the genesis of a home say, as far as a migration needs it. */
export interface HomeSettings {
  readonly chainId: string;
  readonly moniker: string;
  readonly mode: string;
  readonly engine: string;
  readonly development: boolean;
  readonly split: boolean;
  readonly backend: string;
  /** A setting that makes the node an archive, such as `ss-keep-recent = 0`; empty when none does. */
  readonly archiveBy: string;
  /** Files of the identity that the settings put elsewhere, and a signer outside the process. */
  readonly movedFiles: readonly string[];
  /** Milliseconds. */
  readonly trustPeriodMs: number;
  /** All that a wipe empties beside `data/`: the effective directories of SS, SC and CometBFT. */
  readonly directories: readonly DataDirectory[];
}

/** What `[statesync]`, `[p2p]` and `[state-store]` become. */
export interface TargetSettings {
  readonly split: boolean;
  readonly backend: string;
  readonly rpcServers: readonly string[];
  readonly trustHeight: number;
  /** Hex. */
  readonly trustHash: string;
  /** Milliseconds. */
  readonly trustPeriodMs: number;
  /** `id@host:port`; added to those that the file names already. */
  readonly peers: readonly string[];
  /** Where CometBFT keeps chunks while they are applied, when the file names no place. */
  readonly chunkDirectory: string;
}

/** Both files of settings, as text. */
export interface SettingsTexts {
  readonly appToml: string;
  readonly configToml: string;
}

/** What the migration asks of configuration, which only the wiring above this room knows. */
export interface HomeAccess {
  readonly home: string;
  readonly release: string;
  /** Throws what loading the configuration and the genesis throw. */
  readSettings(): Promise<HomeSettings>;
  /** Why this build cannot open a backend; `undefined` when it can. */
  backendProblem(backend: string): string | undefined;
  /** `init` in a home without genesis, validator key and data; keeps app.toml and the node key. */
  initialise(genesis: Uint8Array, moniker: string): Promise<void>;
  /** Both files with the target's values in their lines; all else stays. */
  editSettings(texts: SettingsTexts, target: TargetSettings): SettingsTexts;
  /** Throws MIGRATE_CONFIGURE when the files of the home do not say what the target wants. */
  confirmSettings(target: TargetSettings): Promise<void>;
  /** `[statesync] enable = false`, for the next start. */
  endStateSync(): Promise<void>;
}
