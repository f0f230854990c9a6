/**
 * Clients that use a service all the time and hold each answer against what it must be.
 * Owns: what is sent, what counts as a failure. Does not own: the service, and what happens to it meanwhile.
 * Invariant: a request that has reached somebody is never sent again.
 */
import { Checker } from './checker.ts';
import { CosmjsLoad } from './cosmjsLoad.ts';
import { CountedHttp } from './countedHttp.ts';
import { ViemLoad } from './viemLoad.ts';

export interface SteadyTarget {
  readonly jsonRpc: string;
  readonly consensus: string;
  readonly evmChainId: number;
  readonly chainId: string;
}

export interface LoadReport {
  readonly failures: readonly string[];
  readonly requests: number;
  readonly reconnects: number;
  readonly refused: number;
  readonly evmTransfers: number;
  readonly ledgerTransfers: number;
}

export class SteadyLoad {
  readonly #checker = new Checker();
  readonly #connections = [new CountedHttp(2), new CountedHttp(1)] as const;
  readonly #viem: ViemLoad;
  readonly #cosmjs: CosmjsLoad;
  readonly #ended: Promise<unknown>;

  constructor({ jsonRpc, consensus, evmChainId, chainId }: SteadyTarget) {
    const [evm, ledger] = this.#connections;
    this.#viem = new ViemLoad({ url: jsonRpc, chainId: evmChainId }, evm, this.#checker);
    this.#cosmjs = new CosmjsLoad({ url: consensus, chainId }, ledger, this.#checker);
    this.#ended = Promise.all([this.#viem.run(), this.#cosmjs.run()]);
  }

  get report(): LoadReport {
    const counts = this.#connections.map(({ counts: it }) => it);
    const sum = (name: keyof (typeof counts)[number]) => counts.reduce((all, it) => all + it[name], 0);
    return {
      failures: [...this.#checker.failures],
      requests: sum('requests'),
      reconnects: sum('reconnects'),
      refused: sum('refused'),
      evmTransfers: this.#viem.transfers,
      ledgerTransfers: this.#cosmjs.transfers,
    };
  }

  /** What is under way comes to its end first. */
  async end(): Promise<LoadReport> {
    this.#viem.end();
    this.#cosmjs.end();
    await this.#ended;
    for (const connection of this.#connections) connection.close();
    return this.report;
  }
}
