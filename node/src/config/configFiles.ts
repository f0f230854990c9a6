import { writeSettings } from '@chain/platform/settings';
import { APP_TABLE, SECTION_TITLES } from './appSettings/appTable.ts';
import { COMET_TABLE } from './cometSettings.ts';
import type { NodeMode } from './nodeMode.ts';

/** A complete app.toml; `values` by setting name replace the defaults of the mode. */
export function appToml(mode: NodeMode, values: Readonly<Record<string, unknown>> = {}): string {
  return writeSettings(APP_TABLE, SECTION_TITLES, {
    head: 'Settings of chaind. Every key is explained in docs/reference/config.md; a key left out has its default.',
    mode,
    values: new Map(Object.entries({ 'node.mode': mode, ...values })),
  });
}

/** A complete config.toml for CometBFT v0.38; `values` by setting name replace the defaults. */
export function configToml(values: Readonly<Record<string, unknown>> = {}): string {
  return writeSettings(
    COMET_TABLE,
    {},
    {
      head: 'Settings of consensus and its RPC, in the form of CometBFT v0.38.',
      mode: 'rpc',
      values: new Map(Object.entries(values)),
    },
  );
}
