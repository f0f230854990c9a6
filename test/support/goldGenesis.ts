import { createGenesisState } from '../../node/src/execution/genesis/createGenesis.ts';
import type { GenesisMetadataJson } from '../../node/src/execution/genesis/genesisState.ts';
import { TOKEN, testAccount } from '../../node/src/execution/testChain.fixture.ts';

export const GOLD = 'ugold';
export const SILVER = 'usilver';

/** A denomination of six digits, as genesis describes it. */
export function denomination(base: string, name: string): GenesisMetadataJson {
  return {
    description: `${name} for tests`,
    denom_units: [
      { denom: base, exponent: 0 },
      { denom: name.toLowerCase(), exponent: 6 },
    ],
    base,
    display: name.toLowerCase(),
    name,
    symbol: name.toUpperCase(),
  };
}

/** Accounts 0 to 2 hold 100 tokens, and a million units of gold and silver each. */
export function goldGenesis() {
  const coins = [GOLD, SILVER].map((denom) => ({ denom, amount: '1000000' }));
  return createGenesisState({
    evmChainId: 713_714n,
    accounts: [0, 1, 2].map((seed) => ({ ...testAccount(seed), balanceWei: 100n * TOKEN, coins })),
    denominations: [denomination(GOLD, 'Gold'), denomination(SILVER, 'Silver')],
  });
}
