import { Option } from 'commander';
import type { LedgerClient } from '../../client/index.ts';
import type { ProtoSchema } from '../../proto/index.ts';

/** `--node`, then CHAIND_NODE, then the default port on this machine. */
export function nodeOption(): Option {
  return new Option('--node <address>', 'consensus RPC of the node to ask')
    .env('CHAIND_NODE')
    .default('http://127.0.0.1:26657');
}

/** A client of the node, and the protobuf schema that it reads answers by. */
export async function openClient(node: string): Promise<{ client: LedgerClient; schema: ProtoSchema }> {
  const [{ openConsensusClient, openLedgerClient }, { openProtoSchema }] = await Promise.all([
    import('../../client/index.ts'),
    import('../../proto/index.ts'),
  ]);
  const schema = openProtoSchema();
  return { client: openLedgerClient(openConsensusClient({ node }), schema), schema };
}
