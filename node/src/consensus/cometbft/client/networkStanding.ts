import { CodedError } from '@chain/platform';
import type { NetworkStanding } from '../../../types/index.ts';
import type { CometClient } from './cometClient.ts';

type Client = Pick<CometClient, 'batch'>;

/** So long an answer serves all who ask: many clients are no load on CometBFT. */
const FRESH_MS = 500;

/** Tells what CometBFT says of the network. Throws CONSENSUS_COMET_DOWN, CONSENSUS_COMET_REFUSED. */
export class NetworkStandings {
  readonly #client: Client;
  #asked: { readonly at: number; readonly answer: Promise<NetworkStanding> } | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  newest(): Promise<NetworkStanding> {
    const now = performance.now();
    if (!this.#asked || now - this.#asked.at > FRESH_MS) {
      this.#asked = { at: now, answer: ask(this.#client) };
    }
    return this.#asked.answer;
  }
}

async function ask(client: Client): Promise<NetworkStanding> {
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
