import { readEngineSets } from '../ledger/index.ts';
import type { PointReads } from '../state/view/index.ts';
import type { ValidatorPower } from '../types/index.ts';
import type { ChainOptions, ChainParts } from './chainParts.ts';

/** Who signs which block: of blocks that are there their record tells it, of the next two the state. */
export class ValidatorSets {
  readonly #options: ChainOptions;
  readonly #history: ChainParts['history'];
  readonly #execution: ChainParts['execution'];
  readonly #newest: () => { readonly height: number; readonly state: () => PointReads };
  #initial: readonly ValidatorPower[] | undefined;

  /** `newest`: the newest announced height, 0 before the first block, and the state after it. */
  constructor(
    options: ChainOptions,
    {
      history,
      execution,
      newest,
    }: Pick<ChainParts, 'history' | 'execution'> & {
      readonly newest: () => { readonly height: number; readonly state: () => PointReads };
    },
  ) {
    this.#options = options;
    this.#history = history;
    this.#execution = execution;
    this.#newest = newest;
  }

  /** Up to two blocks above the newest; an unknown set is that of genesis. */
  at(height: number): readonly ValidatorPower[] {
    const newest = this.#newest();
    if (newest.height === 0) return this.#ofGenesis();
    if (height <= newest.height)
      return this.#orGenesis(this.#history.blockByHeight(height)?.validators ?? []);
    if (height === newest.height + 1) return this.after(newest.height, newest.state());
    return this.#orGenesis(readEngineSets(newest.state()).afterNext);
  }

  /** Of the block that comes after `height`, whose state is `state`; 0 before the first block. */
  after(height: number, state: PointReads): readonly ValidatorPower[] {
    return height === 0 ? this.#ofGenesis() : this.#orGenesis(readEngineSets(state).next);
  }

  #orGenesis(validators: readonly ValidatorPower[]): readonly ValidatorPower[] {
    return validators.length > 0 ? validators : this.#ofGenesis();
  }

  #ofGenesis(): readonly ValidatorPower[] {
    const { state, validators = [] } = this.#options.genesis;
    this.#initial ??= this.#execution.initialValidators(state);
    return this.#initial.length > 0 ? this.#initial : validators;
  }
}
