/** Nodes that the tree replaced or removed while it made `version`: versions below it may show them. */
interface Batch {
  readonly version: number;
  readonly nodes: number[];
}

/** What is asked of nodes, which are numbers here. */
interface NodeLife {
  /** The version that wrote the node. */
  bornIn(node: number): number;
  /** Nobody sees the node any more. */
  free(node: number): void;
}

/**
 * Nodes that left the tree and wait until no kept version and no frozen copy shows them. A copy of version f shows
 * a node that was born in b and left in w when b ≤ f < w.
 */
export class RetiredNodes {
  readonly #life: NodeLife;
  /** Ascending by version. */
  readonly #waiting: Batch[] = [];
  #newest: Batch | undefined;
  /** No kept version shows these, but a copy does. */
  #held: Batch[] = [];
  /** Versions of the copies that are being read. */
  readonly #frozen: number[] = [];

  constructor(life: NodeLife) {
    this.#life = life;
  }

  /** A node that the tree no longer has from `version` on. */
  add(node: number, version: number): void {
    if (this.#newest?.version !== version) {
      this.#newest = { version, nodes: [] };
      this.#waiting.push(this.#newest);
    }
    this.#newest.nodes.push(node);
  }

  /** From now on no version below `oldest` is read, but by frozen copies. */
  forgetBelow(oldest: number): void {
    let gone = 0;
    while (gone < this.#waiting.length && this.#waiting[gone]!.version <= oldest) gone++;
    if (gone === 0) return;
    if (gone === this.#waiting.length) this.#newest = undefined;
    for (const batch of this.#waiting.splice(0, gone)) this.#freeOrHold(batch);
  }

  freeze(version: number): void {
    this.#frozen.push(version);
  }

  thaw(version: number): void {
    this.#frozen.splice(this.#frozen.indexOf(version), 1);
    const held = this.#held;
    this.#held = [];
    for (const batch of held) this.#freeOrHold(batch);
  }

  #freeOrHold({ version, nodes }: Batch): void {
    const copies = this.#frozen.filter((frozen) => frozen < version);
    if (copies.length === 0) {
      for (const node of nodes) this.#life.free(node);
      return;
    }
    const held: number[] = [];
    const newest = Math.max(...copies);
    for (const node of nodes) {
      // Born at or below the newest copy: that one or an older one may show it.
      if (this.#life.bornIn(node) <= newest) held.push(node);
      else this.#life.free(node);
    }
    if (held.length > 0) this.#held.push({ version, nodes: held });
  }
}
