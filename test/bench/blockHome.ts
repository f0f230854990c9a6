import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EMPTY_HASH, NO_BLOCK_ID, sealBlock } from '../../node/src/comet/index.ts';
import { DEFAULT_CHAIN_ID, initialiseHome } from '../../node/src/config/index.ts';
import { DEVELOPMENT_BALANCE_WEI } from '../../node/src/execution/index.ts';
import { DEVELOPMENT_MNEMONIC, deriveAccounts } from '../../node/src/keys/index.ts';
import type { Block, BlockRecord } from '../../node/src/types/index.ts';
import { SENDERS } from './transfers.ts';

export const EVM_CHAIN_ID = 713_714n;

/** Uses a new home with funded senders, and deletes it. */
export async function withHome(use: (home: string) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'block-bench-'));
  const home = join(directory, 'home');
  const accounts = deriveAccounts({ mnemonic: DEVELOPMENT_MNEMONIC, count: SENDERS });
  try {
    await initialiseHome({
      home,
      moniker: 'bench',
      chainId: DEFAULT_CHAIN_ID,
      evmChainId: EVM_CHAIN_ID,
      mode: 'rpc',
      engine: 'embedded',
      overwrite: false,
      accounts: accounts.map((account) => ({ ...account, balanceWei: DEVELOPMENT_BALANCE_WEI })),
    });
    await use(home);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A decided block on top of `last`; of its header only what execution looks at. */
export function decidedBlock(height: number, txs: readonly Uint8Array[], last?: BlockRecord): Block {
  return sealBlock({
    header: {
      blockProtocol: 11n,
      appProtocol: 0n,
      chainId: DEFAULT_CHAIN_ID,
      height,
      time: { seconds: 1_700_000_000n + BigInt(height), nanos: 0 },
      lastBlockId: last?.block.id ?? NO_BLOCK_ID,
      lastCommitHash: EMPTY_HASH,
      dataHash: EMPTY_HASH,
      validatorsHash: EMPTY_HASH,
      nextValidatorsHash: EMPTY_HASH,
      consensusHash: EMPTY_HASH,
      appHash: EMPTY_HASH,
      lastResultsHash: EMPTY_HASH,
      evidenceHash: EMPTY_HASH,
      proposerAddress: new Uint8Array(20).fill(9),
    },
    txs,
    lastCommit: new Uint8Array(0),
  });
}
