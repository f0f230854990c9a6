import { readChainAddress } from '../../ledger/index.ts';
import { toBech32, toHexData } from '../../primitives/index.ts';
import { BLOCK_READS, stateAtLatest } from '../blocks/resolveBlock.ts';
import { param } from '../codec/codec.ts';
import { addressCodec } from '../codec/hexCodecs.ts';
import { NOT_ASSOCIATED } from '../methodErrors.ts';
import { serverError } from '../rpcError.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { STRING } from '../schema/valueSchemas.ts';

/** The bech32 address that an EVM address is associated with. */
export const getChainAddress = rpcMethod({
  name: 'chain_getChainAddress',
  summary: 'The bech32 address that an EVM address is associated with',
  params: [param('address', addressCodec)],
  result: STRING,
  errors: [NOT_ASSOCIATED],
  uses: BLOCK_READS,
  handle: (deps, [address]) => {
    const found = readChainAddress(stateAtLatest(deps), address);
    if (!found) throw serverError(`failed to find chain address for ${toHexData(address)}`);
    return toBech32(found);
  },
});
