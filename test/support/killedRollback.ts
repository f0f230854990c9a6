import { rollback } from '../../node/src/app/index.ts';

/**
 * A process of the crash tests: `home height killAt`. It rolls back and kills itself when it tells of its progress
 * for the `killAt`-th time: at a block of the state store's rewind, or at the beginning of a later step.
 */
const [home, height, killAt] = process.argv.slice(2) as [string, string, string];
let told = 0;
await rollback(
  { home, flags: {}, environment: {}, wish: { height: Number(height) }, resetSignState: false },
  {
    agree: async () => true,
    tell: () => {
      told++;
      if (told === Number(killAt)) process.kill(process.pid, 'SIGKILL');
    },
  },
);
process.stdout.write(`${told}\n`);
