import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { COMET_METHODS, cometReference, UNSAFE_METHODS } from '../node/src/cometRpc/index.ts';
import { configReference } from '../node/src/config/index.ts';
import { DEVELOPMENT_METHODS, METHODS, methodReference } from '../node/src/rpc/index.ts';

/** Pages that are made from tables in the code. Tests fail when one is out of date. */
const PAGES: Readonly<Record<string, () => string>> = {
  'docs/reference/config.md': configReference,
  'docs/reference/consensus-rpc.md': () => cometReference(COMET_METHODS, UNSAFE_METHODS),
  'docs/reference/json-rpc.md': () => methodReference([...METHODS, ...DEVELOPMENT_METHODS]),
};

for (const [path, write] of Object.entries(PAGES)) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, write());
  console.log(`wrote ${path}`);
}
