import type { Answer } from '../../../client/index.ts';
import type { FreeQuery, QueryCommand } from './queryCommand.ts';

const SERVICE = 'chain.evm.v1.Query';

export const EVM_QUERIES: readonly (QueryCommand | FreeQuery)[] = [
  {
    usage: 'address <address>',
    about: 'the other address of an account: 0x… of chain1…, or chain1… of 0x…',
    ask: async (client, [address = ''], { height }) => {
      if (address.startsWith('0x')) {
        const answer = await client.query({
          method: `${SERVICE}/ChainAddressByEVMAddress`,
          parameters: { evm_address: address },
          height,
        });
        return { evm_address: address, ...answer };
      }
      const answer = await client.query({
        method: `${SERVICE}/EVMAddressByChainAddress`,
        parameters: { chain_address: address },
        height,
      });
      return { chain_address: address, ...answer };
    },
    show: ({ chain_address: chain, evm_address: evm, associated }: Answer) => ({
      fields: {
        chain,
        evm,
        associated: associated ? 'yes' : 'no: the same 20 bytes until its key signs a transaction',
      },
    }),
  },
  {
    usage: 'pointer <denom>',
    about: 'the ERC-20 contract of a bank denomination',
    method: `${SERVICE}/Pointer`,
    parameters: ([denom = '']) => ({ denom }),
    show: ({ pointer, version, exists }: Answer, [denom]) => ({
      fields: { denom, pointer, registered: exists ? `yes, version ${version}` : 'no' },
    }),
  },
  {
    usage: 'params',
    about: 'the fee market of the EVM',
    method: `${SERVICE}/Params`,
    show: ({ params }: { params: Answer }) => ({ fields: params }),
  },
];
