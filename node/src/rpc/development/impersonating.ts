import { param } from '../codec/codec.ts';
import { addressCodec } from '../codec/hexCodecs.ts';
import { booleanCodec } from '../codec/plainCodecs.ts';
import { developmentSetters } from './developmentMethod.ts';

const address = param('address', addressCodec);

export const IMPERSONATING = [
  ...developmentSetters(['anvil_impersonateAccount', 'hardhat_impersonateAccount'], {
    summary: 'Lets eth_sendTransaction send in the name of an account, also of a contract',
    params: [address],
    handle: ({ development }, [account]) => development.impersonate(account),
  }),
  ...developmentSetters(['anvil_stopImpersonatingAccount', 'hardhat_stopImpersonatingAccount'], {
    summary: 'Ends what impersonateAccount began',
    params: [address],
    handle: ({ development }, [account]) => development.stopImpersonating(account),
  }),
  ...developmentSetters(['anvil_autoImpersonateAccount'], {
    summary: 'With true eth_sendTransaction sends in the name of any account that the node holds no key of',
    params: [param('enabled', booleanCodec)],
    handle: ({ development }, [enabled]) => development.impersonateAll(enabled),
  }),
];
