import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { createProgram } from './program.ts';

function* withChildren(command: Command): Iterable<Command> {
  yield command;
  for (const child of command.commands) yield* withChildren(child);
}

it.each([...withChildren(createProgram())].map((command) => [command.name(), command] as const))(
  '%s says what it does and explains its options',
  (_name, command) => {
    expect(command.description()).not.toBe('');
    expect(command.helpInformation()).toContain('Usage:');
    expect(command.helpInformation()).not.toMatch(/default: (\{|\[object|function)/);
  },
);
