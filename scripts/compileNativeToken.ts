import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import solc from 'solc';

const SOURCE = 'node/contracts/NativeToken.sol';
const LINE = 96;

interface SolcOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>;
}

/** The module that holds the code of pointers, made from its Solidity source by the solc of the lock file. */
export function nativeTokenModule(): string {
  const code = compile();
  const lines = code.match(new RegExp(`.{1,${LINE}}`, 'g'))!.map((line) => `    '${line}',`);
  return `import { hexToBytes } from '../../primitives/index.ts';

/** Runtime code of node/contracts/NativeToken.sol, by solc ${solc.version().split('.Emscripten')[0]}; \`npm run gen\` writes this file. */
export const NATIVE_TOKEN_CODE = hexToBytes(
  [
${lines.join('\n')}
  ].join(''),
);
`;
}

function compile(): string {
  const input = {
    language: 'Solidity',
    sources: { [SOURCE]: { content: readFileSync(SOURCE, 'utf8') } },
    settings: {
      evmVersion: 'prague',
      optimizer: { enabled: true, runs: 200 },
      // The code is part of the state: it must not depend on comments or paths.
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { NativeToken: ['evm.deployedBytecode.object'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as SolcOutput;
  const failures = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  assert.deepEqual(
    failures.map(({ formattedMessage }) => formattedMessage),
    [],
  );
  return output.contracts[SOURCE]!.NativeToken!.evm.deployedBytecode.object;
}
