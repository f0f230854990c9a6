import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { COMET_METHODS, cometReference, UNSAFE_METHODS } from '../node/src/cometRpc/index.ts';
import { configReference } from '../node/src/config/index.ts';
import { PRECOMPILE_ABIS } from '../node/src/evm/index.ts';
import { QUERY_PATHS } from '../node/src/ledgerQuery/index.ts';
import { openProtoSchema, packDescriptors } from '../node/src/proto/index.ts';
import { openApiReference } from '../node/src/rest/index.ts';
import { DEVELOPMENT_METHODS, METHODS, methodReference } from '../node/src/rpc/index.ts';
import { apiReference } from '../operator/src/api/index.ts';
import { operatorReference } from '../operator/src/settings/index.ts';
import { limiterReference } from '../sidecars/rateLimiter/src/settings/index.ts';
import { assemble, CRC32C, EVM_RUNTIME, KECCAK, LOGS_WRITER, PRECOMPILES } from './assemble.ts';
import { nativeTokenModule } from './compileNativeToken.ts';

// Code of pointers, which the rooms import.
writeFileSync('node/src/evm/pointer/nativeTokenCode.ts', nativeTokenModule());

import { deploymentPages } from './charts/deploymentPages.ts';
import { errorsPage } from './errors/errorsPage.ts';

// First of all: what follows is made from it.
const BUF = 'node_modules/@bufbuild/buf-linux-x64/bin/buf';
const DESCRIPTORS = 'node/proto/descriptors.binpb';
const image = execFileSync(BUF, ['build', 'node/proto', '--as-file-descriptor-set', '-o', '-#format=binpb'], {
  maxBuffer: 1 << 26,
});
writeFileSync(DESCRIPTORS, packDescriptors(image));
console.log(`wrote ${DESCRIPTORS}`);

for (const assembly of [EVM_RUNTIME, LOGS_WRITER, CRC32C, KECCAK, PRECOMPILES]) {
  await assemble(assembly);
  console.log(`wrote ${assembly.path}`);
}

/** Pages that are made from tables in the code. Tests fail when one is out of date. */
const PAGES: Readonly<Record<string, () => string>> = {
  'docs/reference/config.md': configReference,
  'docs/reference/consensus-rpc.md': () => cometReference(COMET_METHODS, UNSAFE_METHODS),
  'docs/reference/openapi.json': () => openApiReference(openProtoSchema(), QUERY_PATHS),
  'docs/reference/rate-limiter.md': limiterReference,
  'docs/reference/chainNode.md': apiReference,
  'docs/reference/operator.md': operatorReference,
  'docs/reference/json-rpc.md': () => methodReference([...METHODS, ...DEVELOPMENT_METHODS]),
  'docs/reference/errors.md': () => errorsPage(process.cwd()),
  ...deploymentPages(),
};

for (const [path, write] of Object.entries(PAGES)) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, write());
  console.log(`wrote ${path}`);
}

// What Solidity's tools call precompiles by.
for (const [name, abi] of Object.entries(PRECOMPILE_ABIS)) {
  const path = `docs/abi/${name}.json`;
  writeFileSync(path, `${JSON.stringify(abi, null, 2)}\n`);
  console.log(`wrote ${path}`);
}
