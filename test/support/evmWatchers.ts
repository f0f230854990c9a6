import { crc32 } from 'node:zlib';
import {
  type EvmEngine,
  type EvmTracer,
  Op,
  opcodesOf,
  type TracedLook,
  type TracedStep,
} from '../../node/src/evm/index.ts';
import { type EvmCase, hex, outcomeOf, type ShowBytes } from './evmPrograms.ts';

/** Of code that is too dear and begins with 0xef, the reference tells the one, geth the other. */
const NOT_KEPT: ReadonlySet<string | undefined> = new Set([
  'invalid code: must not begin with 0xef',
  'contract creation code storage out of gas',
]);
const CALLS = opcodesOf('call');

/** What a tracer of frames and logs is told, and the outcome. */
export async function framesOf(engine: EvmEngine, program: EvmCase, show: ShowBytes = hex): Promise<string> {
  const told: string[] = [];
  const tracer = frameTracer(told, show);
  // Only where it steps does the reference tell all of geth's reasons apart.
  if (engine.name !== 'wasm') tracer.onStep = () => undefined;
  const outcome = await outcomeOf(engine, program, show, tracer);
  return [...told, outcome].join('\n');
}

/** What a tracer of everything is told, in its order, and the outcome. */
export async function stepsOf(engine: EvmEngine, program: EvmCase, show: ShowBytes = hex): Promise<string> {
  const told: string[] = [];
  const tracer: EvmTracer = {
    ...frameTracer(told, show),
    onFault: ({ depth, error }) =>
      void told.push(`fault ${depth} ${NOT_KEPT.has(error) ? 'not kept' : error}`),
    onLook: (look) => void told.push(lookText(look, show)),
    onStep: (step) => {
      // The reference fails to tell this one.
      if (step.opcode === Op.REVERT && step.error?.startsWith('stack underflow')) return;
      told.push(stepText(step, show));
    },
  };
  const outcome = await outcomeOf(engine, program, show, tracer);
  return [...told, outcome].join('\n');
}

/** What a tracer of looks alone is told, each once, and the outcome. */
export async function looksOf(engine: EvmEngine, program: EvmCase, show: ShowBytes = hex): Promise<string> {
  const told = new Set<string>();
  const outcome = await outcomeOf(engine, program, show, {
    onLook: (look) => void told.add(lookText(look, show)),
  });
  return [...told].sort().concat(outcome).join('\n');
}

function frameTracer(told: string[], show: ShowBytes): EvmTracer {
  return {
    onEnter: ({ kind, depth, from, to, input, gas, value }) =>
      void told.push(`enter ${kind} ${depth} ${show(from)} ${show(to)} ${gas} ${value} ${show(input)}`),
    onExit: ({ depth, output, gasUsed, error }) =>
      void told.push(`exit ${depth} ${gasUsed} ${NOT_KEPT.has(error) ? 'not kept' : error} ${show(output)}`),
    onLog: ({ address, topics, data }) =>
      void told.push(`log ${show(address)} ${topics.map(show).join()} ${show(data)}`),
  };
}

function lookText(look: TracedLook, show: ShowBytes): string {
  const { kind, address } = look;
  if (kind === 'slot') return `${kind} ${show(address)} ${show(look.slot)}`;
  return `${kind} ${show(address)} ${kind === 'destruction' ? show(look.heir) : ''}`;
}

function stepText(step: TracedStep, show: ShowBytes): string {
  const { depth, programCounter, opcode, gas, gasCost, refund, stack, memory, returnData, error } = step;
  // What a call costs that cannot be paid is nobody's business: geth shows a sum that overflows.
  const cost = error !== undefined && CALLS.has(opcode) ? '' : gasCost;
  return [
    `step ${depth} ${programCounter} ${opcode} gas ${gas} cost ${cost} refund ${refund} ${show(step.address)}`,
    `stack ${stack.map((word) => word.toString(16)).join()} memory ${memory.length} ${crc32(memory)}`,
    `returned ${show(returnData)} error ${error}`,
  ].join(' ');
}
