import { readEvmAddress } from '../../ledger/index.ts';
import { fromBech32, toChecksumAddress } from '../../primitives/index.ts';
import { BLOCK_READS, stateAtLatest } from '../blocks/resolveBlock.ts';
import { param } from '../codec/codec.ts';
import { stringCodec } from '../codec/plainCodecs.ts';
import { NOT_ASSOCIATED } from '../methodErrors.ts';
import { serverError } from '../rpcError.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { ADDRESS } from '../schema/valueSchemas.ts';

/** The EVM address that a bech32 address is associated with, in mixed case. */
export const getEvmAddress = rpcMethod({
  name: 'chain_getEVMAddress',
  summary: 'The EVM address that a bech32 address is associated with, in mixed case',
  params: [param('address', stringCodec)],
  result: ADDRESS,
  errors: [NOT_ASSOCIATED],
  uses: BLOCK_READS,
  handle: (deps, [text]) => {
    const found = readEvmAddress(stateAtLatest(deps), fromBech32(text));
    if (!found) throw serverError(`failed to find EVM address for ${text}`);
    return toChecksumAddress(found);
  },
});
