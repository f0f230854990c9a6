import { text } from '@chain/platform/settings';

/** Development homes (spec R-26); any other home ignores them. */
export const DEV_SETTINGS = {
  client_version: text(
    '',
    'What `web3_clientVersion` answers, for tools that look for a name; empty = `anvil/v1.7.1-chaind-…`',
  ),
} as const;
