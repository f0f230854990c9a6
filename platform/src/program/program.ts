import type { EnvironmentNames, Finding, SettingTable } from '../settings/index.ts';

/** A program, as its settings describe it; `Settings` is what its table comes to. */
export interface SettingsProgram<Settings> {
  /** As it is called, such as `chain-operator`: its variables begin with `CHAIN_OPERATOR_`. */
  readonly name: string;
  readonly table: SettingTable;
  /** A heading for each section. */
  readonly titles: Readonly<Record<string, string>>;
  /** Variables with its prefix that are somebody else's. */
  readonly foreignVariables?: RegExp;
  /** What a single key's form cannot say. */
  checkTogether(settings: Settings): Finding[];
}

/** `CHAIN_OPERATOR_CONFIG` names the file of `chain-operator`. */
export function environmentOf({ name }: Pick<SettingsProgram<never>, 'name'>): EnvironmentNames & {
  readonly file: string;
} {
  const prefix = `${name.replaceAll('-', '_').toUpperCase()}_`;
  const file = `${prefix}CONFIG`;
  return { prefix, file, reserved: [file] };
}
