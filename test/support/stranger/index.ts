/**
 * One who attacks a node in every known way at once, over each port that it shows.
 * Owns: what is sent, and how often. Does not own: what must still hold meanwhile.
 * Invariant: at most so many attacks of a kind are under way, from an address that nobody else uses.
 */
import type { Socket } from 'node:net';
import { createRandom } from '../random.ts';
import { consensusAttacks } from './consensusAttacks.ts';
import { jsonRpcAttacks } from './jsonRpcAttacks.ts';
import { type Ports, socketAttacks } from './socketAttacks.ts';
import type { Answer } from './wire.ts';

/** Of each kind at once. */
const AT_ONCE = 2;
/** Connections of each kind that are held open at once. */
const HELD_AT_ONCE = 20;
/** Between two of a kind: the machine of a test has to serve others as well. */
const PAUSE_MS = 50;

export interface StrangerTarget {
  readonly jsonRpc: string;
  readonly consensus: string;
  readonly p2pPort: number;
}

export class Stranger {
  /** How often each attack was answered in which way. */
  readonly outcomes = new Map<string, Map<string, number>>();
  readonly #held = new Set<Socket>();
  readonly #ended: Promise<unknown>;
  #isEnding = false;

  constructor({ jsonRpc, consensus, p2pPort }: StrangerTarget, seed: number) {
    const random = createRandom(seed);
    const ports: Ports = { jsonRpc: portOf(jsonRpc), consensus: portOf(consensus), p2p: p2pPort };
    const requests = { ...jsonRpcAttacks(jsonRpc, random), ...consensusAttacks(consensus, random) };
    const connections = socketAttacks(ports, this.#held);
    this.#ended = Promise.all([
      ...Object.entries(requests).flatMap(([name, attack]) => this.#attack(name, attack, AT_ONCE)),
      ...Object.entries(connections).flatMap(([name, attack]) => this.#attack(name, attack, HELD_AT_ONCE)),
    ]);
  }

  /** Lets go of all connections, and waits for the answers that are under way. */
  async end(): Promise<void> {
    this.#isEnding = true;
    for (const socket of this.#held) socket.destroy();
    await this.#ended;
  }

  #attack(name: string, attack: () => Promise<Answer>, atOnce: number): Promise<void>[] {
    const counts = new Map<string, number>();
    this.outcomes.set(name, counts);
    return Array.from({ length: atOnce }, async () => {
      while (!this.#isEnding) {
        const { status } = await attack();
        counts.set(status, (counts.get(status) ?? 0) + 1);
        await new Promise((over) => setTimeout(over, PAUSE_MS));
      }
    });
  }
}

const portOf = (url: string): number => Number(new URL(url).port);
