export interface StartOptions {
  readonly home: string;
  /** By setting name of app.toml. */
  readonly flags: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}
