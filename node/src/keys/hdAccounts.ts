import { CodedError } from '@chain/platform';
import { HDNodeWallet, Mnemonic, randomBytes } from 'ethers';
import { hexToBytes } from '../primitives/index.ts';
import { type AccountKey, accountFromPrivateKey } from './accountKey.ts';

export interface HdAccount extends AccountKey {
  readonly index: number;
  readonly path: string;
}

/** The phrase that every development node uses: its keys are known to the world. */
export const DEVELOPMENT_MNEMONIC = 'test test test test test test test test test test test junk';

const ACCOUNT_PATH = "m/44'/60'/0'/0";

/** Accounts m/44'/60'/0'/0/i for i from 0. Throws KEYS_MNEMONIC_INVALID, which does not repeat the phrase. */
export function deriveAccounts(options: { readonly mnemonic: string; readonly count: number }): HdAccount[] {
  const parent = HDNodeWallet.fromMnemonic(parseMnemonic(options.mnemonic), ACCOUNT_PATH);
  return Array.from({ length: options.count }, (_, index) => ({
    index,
    path: `${ACCOUNT_PATH}/${index}`,
    ...accountFromPrivateKey(hexToBytes(parent.deriveChild(index).privateKey)),
  }));
}

/** 24 words from 256 bits of the system's randomness. */
export function newMnemonic(): string {
  return Mnemonic.fromEntropy(randomBytes(32)).phrase;
}

function parseMnemonic(phrase: string): Mnemonic {
  const words = phrase.trim().toLowerCase().split(/\s+/);
  const normal = words.join(' ');
  if (!Mnemonic.isValidMnemonic(normal)) {
    throw new CodedError(
      'KEYS_MNEMONIC_INVALID',
      `not a BIP-39 phrase (${words.length} words): want 12, 15, 18, 21 or 24 English words with a valid checksum`,
      { fields: { words: words.length } },
    );
  }
  return Mnemonic.fromPhrase(normal);
}
