import { readFileSync } from 'node:fs';

/** The exit code. Rejects never: what went wrong has been printed. */
export async function run(args: readonly string[]): Promise<number> {
  const [command] = args;
  if (command === 'version' || command === '--version') {
    process.stdout.write(`${release()}\n`);
    return 0;
  }
  process.stderr.write(`error: unknown command ${command ?? ''}; chain-operator knows: version\n`);
  return 2;
}

function release(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
