import { type HDAccount, mnemonicToAccount } from 'viem/accounts';

/** The mnemonic that every development node funds. */
export const MNEMONIC = 'test test test test test test test test test test test junk';

/** Development account `index`, 0 to 9. */
export function developmentAccount(index: number): HDAccount {
  return mnemonicToAccount(MNEMONIC, { addressIndex: index });
}
