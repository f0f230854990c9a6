import { openHome } from '../support/openHome.ts';
import { decidedBlock, EVM_CHAIN_ID } from './blockHome.ts';
import { ledgerTransfers } from './transfers.ts';

/** A process of its own: applies blocks of transfers to a new home, then ends as a crash would. */
const [home = '', blocks = '0', transfers = '0'] = process.argv.slice(2);
const { chain } = await openHome(home, { split: false });
const count = Number(transfers);
for (let height = 1; height <= Number(blocks); height++) {
  const txs = ledgerTransfers({ evmChainId: EVM_CHAIN_ID, from: (height - 1) * count, count });
  await chain.applyBlock(decidedBlock(height, txs, chain.lastRecord));
}
process.kill(process.pid, 'SIGKILL');
