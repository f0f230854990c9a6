import { EVM_FORKS, type ForkStage, isEvmFork } from '../../evm/index.ts';
import { genesisError, integerAt, objectAt } from './genesisFields.ts';

const PATH = 'app_state.evm.forks';

/** By fork the height from which its rules hold, as decimal text. Throws EXECUTION_GENESIS_INVALID. */
export function parseForks(value: unknown): readonly ForkStage[] {
  if (value === undefined) return [];
  const given = objectAt(value, PATH, EVM_FORKS);
  const stages = Object.entries(given).map(([name, height]) => stageOf(name, height));
  const ordered = stages.sort((a, b) => EVM_FORKS.indexOf(a.fork) - EVM_FORKS.indexOf(b.fork));
  if (ordered[0]?.height !== 0) {
    throw genesisError(PATH, value, 'such that its oldest fork has height "0": the first block needs rules');
  }
  for (const [i, stage] of ordered.entries()) {
    const before = ordered[i - 1];
    if (!before || before.height <= stage.height) continue;
    throw genesisError(`${PATH}.${stage.fork}`, given[stage.fork], `at least that of ${before.fork}`);
  }
  return ordered;
}

function stageOf(name: string, value: unknown): ForkStage {
  const height = integerAt(value, `${PATH}.${name}`);
  if (!isEvmFork(name) || height > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw genesisError(`${PATH}.${name}`, value, 'a height below 2^53');
  }
  return { fork: name, height: Number(height) };
}
