/** Tells where a command with steps is. `of` = 0: the step has no parts. */
export interface StepPrinter {
  readonly tell: (step: string, done: number, of: number) => void;
  /** Ends the last line. */
  end(): void;
}

const BAR_WIDTH = 30;
const SHOW_EVERY_MS = 100;
const LOG_EVERY_MS = 10_000;

/** A bar for each step on a terminal; elsewhere a line a step, and one now and then in a long one. */
export function stepPrinter(output: NodeJS.WriteStream = process.stderr): StepPrinter {
  return output.isTTY ? barPrinter(output) : linePrinter(output);
}

function barPrinter(output: NodeJS.WriteStream): StepPrinter {
  let current = '';
  let shown = 0;
  return {
    tell: (step, done, of) => {
      const isNew = step !== current;
      if (!isNew && done < of && performance.now() - shown < SHOW_EVERY_MS) return;
      output.write(`${isNew && current !== '' ? '\n' : ''}\r${bar(step, done, of)}`);
      current = step;
      shown = performance.now();
    },
    end: () => void (current !== '' && output.write('\n')),
  };
}

function linePrinter(output: NodeJS.WriteStream): StepPrinter {
  let current = '';
  let shown = 0;
  return {
    tell: (step, done, of) => {
      if (step === current && performance.now() - shown < LOG_EVERY_MS) return;
      output.write(`${step}${of > 0 ? ` ${done}/${of}` : ''}\n`);
      current = step;
      shown = performance.now();
    },
    end: () => undefined,
  };
}

function bar(step: string, done: number, of: number): string {
  if (of === 0) return step;
  const filled = Math.round((BAR_WIDTH * Math.min(done, of)) / of);
  return `${step.padEnd(20)} [${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${done}/${of}`;
}
