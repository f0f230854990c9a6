import type { Tracer } from './tracer.ts';

/** Watches and says nothing: for measuring. */
export function noopTracer(): Tracer {
  const nothing = (): void => undefined;
  return { onStep: nothing, onEnter: nothing, onExit: nothing, result: () => '{}' };
}
