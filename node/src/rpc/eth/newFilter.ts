import { requireNarrow } from '../clients/criteriaSize.ts';
import { param } from '../codec/codec.ts';
import { logCriteriaCodec } from '../codec/logQuery.ts';
import { requireForward } from '../filters/logRange.ts';
import { REVERSED_RANGE } from '../methodErrors.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { QUANTITY } from '../schema/valueSchemas.ts';

/** Installs a log filter. Its first poll begins at `fromBlock` when that is a number, else with the next block. */
export const newFilter = rpcMethod({
  name: 'eth_newFilter',
  summary: 'Installs a log filter',
  params: [param('criteria', logCriteriaCodec)],
  result: QUANTITY,
  errors: [REVERSED_RANGE],
  uses: ['filters', 'chain', 'logNamespace', 'limits'],
  handle: ({ filters, chain, logNamespace, limits }, [criteria], { client }) => {
    requireNarrow(criteria, limits.maxLogItems);
    requireForward(criteria.from, criteria.to);
    const next = chain.height + 1;
    const from = criteria.from === 'earliest' ? 0 : criteria.from;
    const cursor = typeof from === 'number' ? from : next;
    return filters.install({ kind: 'logs', criteria }, cursor, { namespace: logNamespace, client });
  },
});
