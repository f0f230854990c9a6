import { toHexData } from '../../primitives/index.ts';
import { param } from '../codec/codec.ts';
import { addressCodec, hashCodec } from '../codec/hexCodecs.ts';
import { nullable } from '../schema/jsonSchema.ts';
import { BOOLEAN, HASH } from '../schema/valueSchemas.ts';
import { developmentMethods, developmentSetters } from './developmentMethod.ts';

const hash = param('hash', hashCodec);

/** Taking transactions out of the mempool. */
export const POOL = [
  ...developmentMethods(['anvil_dropTransaction'], {
    summary: 'Takes a transaction out of the mempool and gives its hash; null when it does not wait there',
    params: [hash],
    result: nullable(HASH),
    handle: ({ development: { controls } }, [dropped]) =>
      controls.dropTransaction(dropped) ? toHexData(dropped) : null,
  }),
  ...developmentMethods(['hardhat_dropTransaction'], {
    summary: 'Takes a transaction out of the mempool; false when it does not wait there',
    params: [hash],
    result: BOOLEAN,
    handle: ({ development: { controls } }, [dropped]) => controls.dropTransaction(dropped),
  }),
  ...developmentSetters(['anvil_dropAllTransactions'], {
    summary: 'Empties the mempool',
    params: [],
    handle: ({ development: { controls } }) => controls.dropTransactions(),
  }),
  ...developmentSetters(['anvil_removePoolTransactions'], {
    summary: 'Takes the transactions of a sender out of the mempool',
    params: [param('address', addressCodec)],
    handle: ({ development: { controls } }, [sender]) => controls.dropTransactions(sender),
  }),
];
