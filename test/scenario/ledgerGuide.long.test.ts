import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  checkEvmRpcConnectivity,
  checkRestConnectivity,
  checkRPCConnectivity,
  validateBasicChainInfoType,
} from '@keplr-wallet/chain-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chaindHere } from '../support/chaindHere.ts';
import { type DevNode, startDevNode } from '../support/devNode.ts';

const START = 'npm start -- --fresh --set evm.enabled_legacy_chain_apis=chain2_getBlockByNumber';

let root: string;
let node: DevNode;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'ledger-guide-'));
  const args = START.split(' ').slice(-2);
  node = await startDevNode({ home: join(root, 'home'), blockTimeMs: 100, args });
});
afterAll(async () => {
  await node?.kill9();
  rmSync(root, { recursive: true, force: true });
});

/** A command of the guide against the node of this test; those of the program run in this process. */
async function run(command: string): Promise<string> {
  const [rpc, consensus, rest] = [node.url, node.consensusUrl, node.restUrl];
  const mine = command
    .replace('npm run twoVms', `npm run -s twoVms -- ${rpc} ${consensus} ${rest}`)
    .replaceAll('http://127.0.0.1:1317', rest)
    .replaceAll('http://127.0.0.1:26657', consensus)
    .replace(
      '--home .chain',
      `--home ${join(root, 'home')} --rpc ${consensus} --rest ${rest} --evm-rpc ${rpc}`,
    );
  const [, written, program] = /^(?:(.*) \| )?npx chaind (.*)$/.exec(mine) ?? [];
  if (program === undefined) return shell(mine);
  const input = written === undefined ? '' : await shell(written);
  const words = (await shell(`printf '%s\\0' ${program}`)).split('\0').slice(0, -1);
  const env = { CHAIND_HOME: join(root, 'wallet'), CHAIND_NODE: consensus };
  const { code, out, err } = await chaindHere(words, { input, env });
  expect(code, `${mine}\n${out}${err}`).toBe(0);
  return out;
}

async function shell(command: string): Promise<string> {
  const env = { ...process.env, PATH: `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH}` };
  const child = spawn('sh', ['-c', command], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = new Promise((ended) => child.once('close', ended));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(await exit, `${command}\n${out}${err}`).toBe(0);
  return out;
}

describe('the guide to the ledger', () => {
  const commands = [...readFileSync('docs/guides/ledger.md', 'utf8').matchAll(/^```sh\n(.*?)^```/gms)]
    .flatMap(([, block = '']) => block.split('\n'))
    .filter((command) => command !== '' && command !== START);
  /** What a command must print. */
  const printed: readonly [begin: string, text: RegExp][] = [
    [
      'npm run twoVms',
      /CosmJS: 2500000usei to bob[\s\S]*the bank send[\s\S]*, 2\.5 tokens[\s\S]*the EVM transfer[\s\S]*, 1 token/,
    ],
    ['npx chaind query bank', /^DENOM +AMOUNT\nusei +\d+$/m],
    ['npx chaind query staking', /^development +chainvaloper1\w+ +bonded/m],
    ['npx chaind query txs', /\/cosmos\.bank\.v1beta1\.MsgSend$/m],
    ["echo 'a password'", /^result: success$/m],
    ["curl -s 'http://127.0.0.1:1317/cosmos/staking", /^{"validators":\[{"operator_address":"chainvaloper1/],
    ['curl -s -H', /^{"supply":\[{"denom":"usei","amount":"100010000000"},/],
    ["curl -s 'http://127.0.0.1:26657", /"height":"1"/],
  ];

  it('has commands that all work as they stand there', { timeout: 180_000 }, async () => {
    expect(commands.length).toBeGreaterThan(8);
    for (const command of commands) {
      const out = await run(command);
      const expected = printed.find(([begin]) => command.startsWith(begin))?.[1];
      if (expected) expect(out, command).toMatch(expected);
    }
    const begins = printed.map(([begin]) => begin);
    for (const begin of begins)
      expect(
        commands.some((command) => command.startsWith(begin)),
        begin,
      ).toBe(true);
  });

  it("prints a chain that Keplr's own checks take, and whose services they reach", async () => {
    const info = JSON.parse(await run('npx chaind config chain-info --home .chain'));
    const checked = await validateBasicChainInfoType(info, false);
    expect(checked).toEqual(info);
    expect(info.feeCurrencies[0].gasPriceStep).toEqual({ low: 0.01, average: 0.015, high: 0.02 });
    await checkRPCConnectivity(info.chainId, info.rpc);
    await checkRestConnectivity(info.chainId, info.rest);
    const evm = JSON.parse(await run('npx chaind config chain-info --home .chain --evm'));
    expect(await validateBasicChainInfoType(evm, false)).toEqual(evm);
    await checkEvmRpcConnectivity(evm.evm.chainId, evm.evm.rpc);
  });
});
