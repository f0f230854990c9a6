import { boolean, integer, text } from '@chain/platform/settings';

/** The explorer (spec R-28). */
export const EXPLORER_SETTINGS = {
  enabled: boolean(
    false,
    'Serve pages about blocks, transactions and accounts to browsers; new development homes have `true`',
  ),
  artifacts: text(
    '',
    'Comma-separated folders with build artefacts (`out/` of Foundry, `artifacts/` of Hardhat); relative ones begin at the home directory',
  ),
  max_pages: integer(16, 'Pages made at once; further requests are answered with 503', { min: 1 }),
  max_streams: integer(256, 'Browser windows that are updated with each block', { min: 0 }),
} as const;
