import assert from 'node:assert';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import solc from 'solc';
import type { Abi, Hex } from 'viem';

export interface Contract {
  readonly abi: Abi;
  readonly bytecode: Hex;
}
/** The contracts of `test/fixtures/contracts`, by name. */
export type ContractName =
  | 'Token'
  | 'Collectible'
  | 'Counter'
  | 'CounterV2'
  | 'Proxy'
  | 'LedgerCaller'
  | 'StakesAtBirth'
  | 'Algorithms'
  | 'Calls'
  | 'Filler'
  | 'Pair'
  | 'Swapper';

const SOURCES = 'test/fixtures/contracts';
const CACHE = 'node_modules/.cache/contracts';

/** Compiles the fixtures with solc-js for Prague; the result is kept by a hash of sources and compiler. */
export function compileContracts(): Record<ContractName, Contract> {
  const sources = Object.fromEntries(
    readdirSync(SOURCES)
      .sort()
      .map((file) => [file, { content: readFileSync(join(SOURCES, file), 'utf8') }]),
  );
  const key = createHash('sha256').update(solc.version()).update(JSON.stringify(sources)).digest('hex');
  const cached = join(CACHE, `${key}.json`);
  if (existsSync(cached)) return JSON.parse(readFileSync(cached, 'utf8')) as Record<ContractName, Contract>;
  const contracts = compile(sources);
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(cached, JSON.stringify(contracts));
  return contracts;
}

interface SolcOutput {
  readonly errors?: readonly { severity: string; formattedMessage: string }[];
  readonly contracts: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>;
}

function compile(sources: Record<string, { content: string }>): Record<ContractName, Contract> {
  const input = {
    language: 'Solidity',
    sources,
    settings: {
      evmVersion: 'prague',
      optimizer: { enabled: true },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  };
  const readImport = (path: string) => ({ contents: readFileSync(join('node_modules', path), 'utf8') });
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport })) as SolcOutput;
  const failures = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  if (failures.length > 0) assert.fail(failures.map((failure) => failure.formattedMessage).join('\n'));
  return Object.fromEntries(
    Object.keys(sources).flatMap((file) =>
      Object.entries(output.contracts[file] ?? {}).map(([name, { abi, evm }]) => [
        name,
        { abi, bytecode: `0x${evm.bytecode.object}` },
      ]),
    ),
  ) as unknown as Record<ContractName, Contract>;
}
