import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { freePort } from '../support/freePort.ts';
import { rpcCall } from '../support/rpcCall.ts';
import { until } from '../support/until.ts';

const root = mkdtempSync(join(tmpdir(), 'readme-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The commands of the README's sh blocks in their order, one each, without comments. */
const commands = [...readFileSync('README.md', 'utf8').matchAll(/^```sh\n(.*?)^```/gms)]
  .flatMap(([, block = '']) => block.split('\n'))
  .flatMap((line) => line.replace(/\s+#.*$/, '').split(' && '))
  .filter((command) => command !== '');
const scripts = (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> })
  .scripts;
/** They install or run suites: this run is inside of one. */
const NOT_HERE = ['npm ci', 'npm test', 'npm run check', 'npm run bench'];

function shell(command: string, onOutput: (text: string) => void = () => undefined): ChildProcess {
  const path = `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH}`;
  // A group of its own, so that npm's children are reached too.
  const child = spawn('sh', ['-c', command], { detached: true, env: { ...process.env, PATH: path } });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', onOutput);
  return child;
}

async function finish(command: string): Promise<void> {
  let printed = '';
  const child = shell(command, (text) => {
    printed += text;
  });
  const code = await new Promise((ended) => child.once('close', ended));
  expect(code, `${command}\n${printed}`).toBe(0);
}

/** A node that a command runs in the background. */
async function background(command: string): Promise<{ url: string; stop(): Promise<void> }> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const portFlag = command.includes('chaind start') ? '--http-port' : '--port';
  const flags = `${portFlag} ${port} --ws-port 0 --set rpc.laddr=tcp://127.0.0.1:0 --admin-port ${adminPort} --grpc-address 127.0.0.1:0 --rest-address 127.0.0.1:0`;
  let printed = '';
  const child = shell(`${command} ${flags}`, (text) => {
    printed += text;
  });
  const ended = new Promise<number | null>((closed) => child.once('close', closed));
  const url = `http://127.0.0.1:${port}`;
  const answer = until(command, () => rpcCall<string>(url, 'eth_blockNumber'));
  const outcome = await Promise.race([answer, ended.then((code) => ({ code }))]);
  expect(outcome, `${command}\n${printed}`).toMatch(/^0x/);
  return {
    url,
    stop: async () => {
      process.kill(-child.pid!, 'SIGTERM');
      await ended;
    },
  };
}

it('every command of the README works as it stands there', { timeout: 180_000 }, async () => {
  expect(commands).toEqual(expect.arrayContaining(['npm ci', 'npm start', 'npm test', 'npm run example']));
  let node: Awaited<ReturnType<typeof background>> | undefined;
  try {
    for (const command of commands) {
      const mine = command.replaceAll('/tmp/my-node', join(root, 'my-node'));
      const script = /^npm (?:run )?(\w+)/.exec(command)?.[1];
      if (script !== undefined && script !== 'ci') expect(scripts).toHaveProperty(script);
      if (NOT_HERE.includes(command)) continue;
      if (/^npm start|chaind start/.test(command)) {
        await node?.stop();
        const home = `--home ${join(root, 'dev')}`;
        const separator = command.includes(' -- ') ? '' : ' --';
        node = await background(command.startsWith('npm') ? `${mine}${separator} ${home}` : mine);
      } else if (command === 'npm run example') await finish(`${mine} -- ${node?.url}`);
      else await finish(mine.replace('http://127.0.0.1:8545', node?.url ?? ''));
    }
  } finally {
    await node?.stop();
  }
});
