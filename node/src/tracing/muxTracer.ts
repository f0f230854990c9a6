import type { EvmTracer } from '../evm/index.ts';
import { sortedJson } from './sortedJson.ts';
import type { Tracer } from './tracer.ts';

type Hook = Exclude<keyof EvmTracer, undefined>;
const HOOKS: readonly Hook[] = [
  'onStart',
  'onEnd',
  'onEnter',
  'onExit',
  'onStep',
  'onFault',
  'onLog',
  'onLook',
];

/** Several tracers in one run; hooks that none of them has stay absent. */
export function muxTracer(tracers: ReadonlyMap<string, Tracer>): Tracer {
  const all = [...tracers.values()];
  const hooks = HOOKS.filter((hook) => all.some((tracer) => tracer[hook])).map((hook) => [
    hook,
    (event: never) => {
      for (const tracer of all) tracer[hook]?.(event);
    },
  ]);
  return {
    ...(Object.fromEntries(hooks) as EvmTracer),
    result: () => sortedJson(tracers, (tracer) => tracer.result()),
    dispose: () => {
      for (const tracer of all) tracer.dispose?.();
    },
  };
}
