import type { CheckedEnvelope } from '../../execution/index.ts';
import { toChecksumAddress } from '../../primitives/index.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { mapOf, objectOf } from '../schema/jsonSchema.ts';
import { STRING } from '../schema/valueSchemas.ts';
import { poolContent } from './poolContent.ts';

const senders = mapOf('^0x[0-9a-fA-F]{40}$', mapOf('^[0-9]+$', STRING));

export const inspect = rpcMethod({
  name: 'txpool_inspect',
  summary: 'Transactions of the mempool by sender and nonce, a line of text each',
  params: [],
  result: objectOf({ pending: senders, queued: senders }),
  uses: ['mempool', 'limits'],
  handle: (deps) => poolContent(deps, line),
});

/** As geth words it. */
function line({ evm: { transaction } }: CheckedEnvelope): string {
  const { to, value, gasLimit, maxFeePerGas } = transaction;
  const target = to ? toChecksumAddress(to) : 'contract creation';
  return `${target}: ${value} wei + ${gasLimit} gas × ${maxFeePerGas} wei`;
}
