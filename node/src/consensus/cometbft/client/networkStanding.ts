import { CodedError } from '@chain/platform';
import type { NetworkStanding } from '../../../types/index.ts';
import type { CometClient } from './cometClient.ts';

/** As CometBFT has it. Throws CONSENSUS_COMET_DOWN, CONSENSUS_COMET_REFUSED. */
export async function networkStanding(client: Pick<CometClient, 'batch'>): Promise<NetworkStanding> {
  const answers = await client.batch([
    { method: 'status', params: {} },
    { method: 'net_info', params: {} },
  ]);
  for (const answer of answers) if (answer instanceof CodedError) throw answer;
  const [status, network] = answers as readonly [
    { readonly sync_info: { readonly catching_up: boolean } },
    { readonly n_peers: string },
  ];
  return { catchingUp: status.sync_info.catching_up, peers: Number(network.n_peers) };
}
