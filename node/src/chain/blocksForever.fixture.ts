import { createAddress, readNonce } from '../evm/index.ts';
import { ACCOUNTS, blockOf, openTestChain, STORE_COUNTER, transaction } from './chain.fixture.ts';

/**
 * A process of its own for crash tests: `node blocksForever.fixture.ts <home> <split>`. Makes blocks of transfers,
 * creations and calls without end and prints each height once it is announced.
 */
const [home = '', split] = process.argv.slice(2);
const { chain } = await openTestChain(home, { split: split === 'true', changelogKeepRecent: 20 });
chain.onBlock(({ block }) => process.stdout.write(`${block.header.height}\n`));
for (;;) {
  const height = chain.nextHeight;
  const txs = ACCOUNTS.flatMap((account, index) => {
    const nonce = height === 1 ? 0 : Number(readNonce(chain.newestState, account));
    const friend = new Uint8Array(20).fill(1 + ((height * 7 + index) % 50));
    return [
      transaction(index, nonce, { to: friend, value: BigInt(height) }),
      transaction(
        index,
        nonce + 1,
        height % 5 === 0 ? { to: null, data: STORE_COUNTER } : { to: createAddress(account, 9n) },
      ),
    ];
  });
  await chain.applyBlock(blockOf(height, txs, chain.lastRecord));
}
