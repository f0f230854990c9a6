import { FEE_COLLECTOR_EVM_ADDRESS } from '../../ledger/index.ts';
import { equalBytes, toHexData } from '../../primitives/index.ts';
import { param } from '../codec/codec.ts';
import { addressCodec, hashCodec } from '../codec/hexCodecs.ts';
import { booleanCodec, stringCodec } from '../codec/plainCodecs.ts';
import type { RpcDeps } from '../rpcDeps.ts';
import { RPC_CODE, serverError } from '../rpcError.ts';
import { developmentSetters } from './developmentMethod.ts';
import { numberCodec } from './numberCodec.ts';

const refused = (message: string) => [{ code: RPC_CODE.server, message }];
const COINBASE = `fees of this chain go to its fee collector, ${toHexData(FEE_COLLECTOR_EVM_ADDRESS)}: the coinbase cannot be another`;
const RANDAO = 'blocks of this chain have no randomness: PREVRANDAO is 0; pretend one with block overrides';
const LEAST_PRICE =
  'fees follow EIP-1559, so that there is no least gas price to set; use setNextBlockBaseFeePerGas';
const NO_FORK = 'this node does not fork another chain, so that it has no RPC URL to set';
const gasLimitText = (limit: string) =>
  `the gas limit of blocks is ${limit}, the genesis file's consensus.params.block.max_gas; start a home with another genesis`;

function requireGasLimit({ chain }: Pick<RpcDeps, 'chain'>, wanted: bigint): void {
  const { gasLimit } = chain.pendingContext();
  if (wanted !== gasLimit) throw serverError(gasLimitText(String(gasLimit)));
}

/** What tools may set elsewhere and the chain's rules fix: what is so already is accepted, all else is refused with the reason. */
export const FIXED_BY_CHAIN = [
  ...developmentSetters(['anvil_setCoinbase', 'hardhat_setCoinbase'], {
    summary: 'Accepts the fee collector, and no other address: fees go there',
    params: [param('address', addressCodec)],
    errors: refused(COINBASE),
    handle: (_deps, [address]) => {
      if (!equalBytes(address, FEE_COLLECTOR_EVM_ADDRESS)) throw serverError(COINBASE);
    },
  }),
  ...developmentSetters(['anvil_setBlockGasLimit', 'hardhat_setBlockGasLimit', 'evm_setBlockGasLimit'], {
    summary: 'Accepts the gas limit that blocks have, and no other: it is a consensus parameter',
    params: [param('gasLimit', numberCodec)],
    errors: refused(gasLimitText('…')),
    uses: ['chain'],
    handle: (deps, [limit]) => requireGasLimit(deps, limit),
  }),
  ...developmentSetters(['anvil_setPrevRandao', 'hardhat_setPrevRandao'], {
    summary: 'Accepts 0, and no other value: blocks have no randomness',
    params: [param('prevRandao', hashCodec)],
    errors: refused(RANDAO),
    handle: (_deps, [value]) => {
      if (value.some((byte) => byte !== 0)) throw serverError(RANDAO);
    },
  }),
  ...developmentSetters(['anvil_setMinGasPrice', 'hardhat_setMinGasPrice'], {
    summary: 'Accepts 0, and no other price: fees follow EIP-1559',
    params: [param('gasPrice', numberCodec)],
    errors: refused(LEAST_PRICE),
    handle: (_deps, [price]) => {
      if (price !== 0n) throw serverError(LEAST_PRICE);
    },
  }),
  ...developmentSetters(['anvil_setRpcUrl'], {
    summary: 'Always refused: there is no fork',
    params: [param('url', stringCodec)],
    errors: refused(NO_FORK),
    handle: () => {
      throw serverError(NO_FORK);
    },
  }),
  ...developmentSetters(['anvil_setLoggingEnabled', 'hardhat_setLoggingEnabled'], {
    summary: 'Accepted; what this node logs is decided by `log_level`',
    params: [param('enabled', booleanCodec)],
    handle: () => undefined,
  }),
];
