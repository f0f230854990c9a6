import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { assemble, CRC32C, EVM_RUNTIME, KECCAK, LOGS_WRITER, PRECOMPILES } from '../../scripts/assemble.ts';

it.each([EVM_RUNTIME, LOGS_WRITER, CRC32C, KECCAK, PRECOMPILES])(
  '$path is what its sources make',
  async (assembly) => {
    const directory = await mkdtemp(join(tmpdir(), 'evm-runtime-'));
    try {
      const path = join(directory, 'made.wasm');
      await assemble({ ...assembly, path });
      expect(readFileSync(path).equals(readFileSync(assembly.path))).toBe(true);
    } finally {
      await rm(directory, { recursive: true });
    }
  },
);
