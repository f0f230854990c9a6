import type { MempoolLimits } from './limits.ts';
import { type Plan, rawOf } from './pool.fixture.ts';

export type FullPlan = Required<Omit<Plan, 'padding'>> & { readonly padding: number };
type Standing = 'pending' | 'queued';
interface Held extends FullPlan {
  readonly order: number;
  readonly bytes: number;
  standing: Standing;
}
export interface Situation {
  readonly baseFee: number;
  balance(sender: number): number;
  nonce(vm: FullPlan['vm'], sender: number): number;
}

const costOf = ({ gas, feeCap, value }: FullPlan): number => gas * feeCap + value;
const sum = (held: readonly Held[], of: (one: Held) => number): number =>
  held.reduce((all, one) => all + of(one), 0);

/** The pool's rules written straight down: every question looks at all that is held. */
export class NaivePool {
  held: Held[] = [];
  readonly #limits: MempoolLimits;
  readonly #now: Situation;
  #order = 0;

  constructor(limits: MempoolLimits, now: Situation) {
    this.#limits = limits;
    this.#now = now;
  }

  of(account: Pick<FullPlan, 'vm' | 'sender'>, standing?: Standing): Held[] {
    return this.held
      .filter(({ vm, sender }) => vm === account.vm && sender === account.sender)
      .filter((one) => standing === undefined || one.standing === standing)
      .sort((a, b) => a.nonce - b.nonce);
  }

  add(plan: FullPlan): boolean {
    const { vm, sender, nonce } = plan;
    const balance = this.#now.balance(sender);
    if (costOf(plan) > balance || nonce < this.#now.nonce(vm, sender)) return false;
    const old = this.of(plan).find((one) => one.nonce === nonce);
    if (!this.#isInLine(plan, old)) return false;
    const standing = old?.standing ?? (nonce === this.#next(plan) ? 'pending' : 'queued');
    if (!old && this.of(plan, standing).length >= this.#most(standing)) return false;
    const shed = this.#shed(plan, old);
    const entry = { ...plan, standing, order: this.#order++, bytes: rawOf(plan).length };
    const victims = shed && this.#room(entry, old);
    if (!victims) return false;
    this.held = this.held.filter((one) => one !== old && !shed.includes(one) && !victims.includes(one));
    this.held.push(entry);
    this.#promote(plan);
    return true;
  }

  /** As a commit: accounts whose nonce or balance the block wrote, ledger transactions that it refused. */
  commit(senders: readonly number[], refused: readonly Held[]): void {
    this.held = this.held.filter(({ vm, sender, nonce }) => nonce >= this.#now.nonce(vm, sender));
    for (const one of refused) this.remove(one);
    for (const sender of senders) {
      for (;;) {
        const own = this.held.filter((one) => one.sender === sender);
        if (sum(own, costOf) <= this.#now.balance(sender)) break;
        const queued = own.filter(({ standing }) => standing === 'queued');
        const [last] = lastFirst(queued.length > 0 ? queued : own);
        this.remove(last!);
      }
    }
    const ready = this.held.filter((one) => one.standing === 'queued' && one.nonce === this.#next(one));
    for (const one of ready.sort((a, b) => this.tip(b) - this.tip(a) || a.order - b.order))
      this.#promote(one);
  }

  remove(one: Held): void {
    if (!this.held.includes(one)) return;
    for (const behind of one.standing === 'pending' ? this.of(one, 'pending') : []) {
      if (behind.nonce > one.nonce) behind.standing = 'queued';
    }
    const drop = (gone: Held): void => {
      this.held = this.held.filter((each) => each !== gone);
    };
    drop(one);
    for (
      let own = this.of(one, 'queued');
      own.length > this.#limits.maxAccountQueued;
      own = this.of(one, 'queued')
    ) {
      drop(own.at(-1)!);
    }
    const waiting = () => this.held.filter(({ standing }) => standing === 'queued');
    const isTooMuch = (queued: Held[]) =>
      queued.length > this.#limits.maxQueued ||
      sum(queued, ({ bytes }) => bytes) > this.#limits.maxQueuedBytes;
    while (isTooMuch(waiting())) drop(this.#worst(this.held, 'queued')!);
  }

  tip({ vm, feeCap, tipCap }: FullPlan): number {
    return vm === 'evm' ? Math.min(tipCap, feeCap - this.#now.baseFee) : tipCap;
  }

  /** `sender/nonce` in the order of a block without limits. */
  block(): Held[] {
    const taken: Held[] = [];
    const pending = this.held.filter((one) => one.standing === 'pending');
    const isTaken = (one: Held) => taken.includes(one);
    for (;;) {
      const heads = pending
        .filter((one) => !isTaken(one) && this.tip(one) >= 0)
        .filter((one) =>
          this.of(one, 'pending').every((other) => other.nonce >= one.nonce || isTaken(other)),
        );
      const [best] = heads.sort((a, b) => this.tip(b) - this.tip(a) || a.order - b.order);
      if (!best) return taken;
      taken.push(best);
    }
  }

  /** Sequences of the ledger come in order, and replacements pay more. */
  #isInLine(plan: FullPlan, old: Held | undefined): boolean {
    let free = this.#next(plan);
    while (this.of(plan).some((one) => one.nonce === free)) free++;
    if (plan.vm === 'ledger' && plan.nonce !== free) return false;
    return !old || (raised(plan.feeCap, old.feeCap) && raised(plan.tipCap, old.tipCap));
  }

  #most(standing: Standing): number {
    return standing === 'pending' ? this.#limits.maxAccountTransactions : this.#limits.maxAccountQueued;
  }

  /** What the account gives up so that its funds reach; `undefined` when they do not. */
  #shed(plan: FullPlan, old: Held | undefined): Held[] | undefined {
    const others = this.held.filter((one) => one !== old && one.sender === plan.sender);
    const mayShed = plan.nonce <= this.#next(plan);
    const gapped = mayShed ? lastFirst(others.filter((one) => one.standing === 'queued')) : [];
    const shed: Held[] = [];
    while (sum(others, costOf) - sum(shed, costOf) + costOf(plan) > this.#now.balance(plan.sender)) {
      const one = gapped.shift();
      if (!one) return undefined;
      shed.push(one);
    }
    return shed;
  }

  #next(account: Pick<FullPlan, 'vm' | 'sender'>): number {
    return this.#now.nonce(account.vm, account.sender) + this.of(account, 'pending').length;
  }

  #promote(account: Pick<FullPlan, 'vm' | 'sender'>): void {
    for (;;) {
      const [first] = this.of(account, 'queued');
      if (first?.nonce !== this.#next(account)) return;
      if (this.of(account, 'pending').length >= this.#limits.maxAccountTransactions) return;
      const victims = this.#room({ ...first, standing: 'pending' }, undefined);
      if (!victims) return;
      this.held = this.held.filter((one) => !victims.includes(one));
      first.standing = 'pending';
    }
  }

  /** Who leaves for it; `undefined` when they are better. */
  #room(entry: Held, old: Held | undefined): Held[] | undefined {
    const { maxTransactions, maxBytes, maxQueued, maxQueuedBytes } = this.#limits;
    const [count, size] =
      entry.standing === 'pending' ? [maxTransactions, maxBytes] : [maxQueued, maxQueuedBytes];
    const others = this.held.filter((one) => one !== old);
    const victims: Held[] = [];
    for (;;) {
      const left = others.filter((one) => !victims.includes(one));
      const there = left.filter(({ standing }) => standing === entry.standing);
      const bytes = sum(there, (one) => one.bytes) + entry.bytes;
      if (there.length < count && bytes <= size) return victims;
      const foreign = left.filter(({ vm, sender }) => vm !== entry.vm || sender !== entry.sender);
      const worst = this.#worst(foreign, entry.standing);
      if (!worst) return undefined;
      const own = this.of(entry, entry.standing).length + 1;
      const arrival = Math.max(0, own - this.#slots(entry.standing));
      const surplus = this.#surplus(worst, left);
      if (surplus < arrival || (surplus === arrival && this.tip(worst) >= this.tip(entry))) return undefined;
      victims.push(worst);
    }
  }

  #worst(among: readonly Held[], standing: Standing): Held | undefined {
    const there = among.filter((one) => one.standing === standing);
    const last = there.filter((one) => !there.some((other) => isSame(other, one) && other.nonce > one.nonce));
    const [worst] = last.sort(
      (a, b) =>
        this.#surplus(b, there) - this.#surplus(a, there) || this.tip(a) - this.tip(b) || b.order - a.order,
    );
    return worst;
  }

  #surplus(one: Held, among: readonly Held[]): number {
    const count = among.filter((other) => isSame(other, one) && other.standing === one.standing).length;
    return Math.max(0, count - this.#slots(one.standing));
  }

  #slots(standing: Standing): number {
    return standing === 'pending' ? this.#limits.accountSlots : 1;
  }
}

const isSame = (a: Held, b: Held): boolean => a.vm === b.vm && a.sender === b.sender;
const raised = (price: number, old: number): boolean => price > old && price * 10 >= old * 11;
const lastFirst = (held: readonly Held[]): Held[] =>
  [...held].sort((a, b) => b.nonce - a.nonce || b.order - a.order);
