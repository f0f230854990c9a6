import { param } from '../codec/codec.ts';
import { addressCodec, dataCodec, hashCodec } from '../codec/hexCodecs.ts';
import { storageKeyCodec } from '../codec/storageKey.ts';
import { serverError } from '../rpcError.ts';
import { developmentSetters } from './developmentMethod.ts';
import { numberCodec } from './numberCodec.ts';

/** The account, and what it gets. Each edit is a block of its own, so that it can be read at once. */
const address = param('address', addressCodec);

const NONCE_LIMIT = 1n << 64n;
const AMOUNT_LIMIT = 1n << 255n;

export const EDITING = [
  ...developmentSetters(['anvil_setBalance', 'hardhat_setBalance'], {
    summary: 'Sets the balance of an account, in wei',
    params: [address, param('balance', numberCodec)],
    handle: ({ development }, [account, wei]) => {
      if (wei >= AMOUNT_LIMIT) throw serverError('a balance has at most 255 bits');
      return development.controls.edit({ kind: 'balance', address: account, wei });
    },
  }),
  ...developmentSetters(['anvil_setNonce', 'hardhat_setNonce', 'evm_setAccountNonce'], {
    summary: 'Sets the nonce of an account',
    params: [address, param('nonce', numberCodec)],
    handle: ({ development }, [account, nonce]) => {
      if (nonce >= NONCE_LIMIT) throw serverError('a nonce has at most 64 bits');
      return development.controls.edit({ kind: 'nonce', address: account, nonce });
    },
  }),
  ...developmentSetters(['anvil_setCode', 'hardhat_setCode'], {
    summary: 'Sets the code of an account; none with `0x`',
    params: [address, param('code', dataCodec)],
    handle: ({ development }, [account, code]) =>
      development.controls.edit({ kind: 'code', address: account, code }),
  }),
  ...developmentSetters(['anvil_setStorageAt', 'hardhat_setStorageAt'], {
    summary: 'Sets a word of the storage of an account',
    params: [address, param('slot', storageKeyCodec), param('word', hashCodec)],
    handle: ({ development }, [account, slot, word]) =>
      development.controls.edit({ kind: 'storage', address: account, slot, word }),
  }),
  ...developmentSetters(['anvil_setNextBlockBaseFeePerGas', 'hardhat_setNextBlockBaseFeePerGas'], {
    summary: 'Sets the base fee of the next block, in wei; the least fee of the chain goes down with it',
    params: [param('baseFee', numberCodec)],
    handle: ({ development }, [wei]) => {
      if (wei >= NONCE_LIMIT) throw serverError('a base fee has at most 64 bits');
      return development.controls.edit({ kind: 'baseFee', wei });
    },
  }),
];
