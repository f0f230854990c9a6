import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** The two programs that are told by their settings alone, as they are called. */
const PROGRAMS = {
  'chain-operator': 'operator/bin/chain-operator.js',
  'chain-rate-limiter': 'sidecars/rateLimiter/bin/chain-rate-limiter.js',
} as const;

function call(name: keyof typeof PROGRAMS, args: readonly string[], environment = {}) {
  const env = { ...process.env, ...environment };
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAMS[name], ...args], {
    encoding: 'utf8',
    env,
  });
  return { code: status, out: stdout, err: stderr };
}

it('shows commands, options and every setting on --help', () => {
  const { code, out } = call('chain-operator', ['--help']);
  expect(code).toBe(0);
  expect(out).toContain('Usage: chain-operator [run|check|crds] [--config FILE]');
  expect(out).toMatch(/\n {2}crds {6}print the definitions of both kinds/);
  expect(out).toContain('also CHAIN_OPERATOR_CONFIG');
  expect(out).toMatch(/\n {2}--controller\.concurrency=\d+\n {8}\w/);
});

it('takes flags, variables and the file that a variable names', () => {
  const checked = call('chain-rate-limiter', ['check', '--limit.burst=40'], {
    CHAIN_RATE_LIMITER_LIMIT_RATE: '7',
  });
  expect(checked).toMatchObject({ code: 0, err: '' });
  expect(checked.out).toMatch(/^burst = 40$/m);
  expect(checked.out).toMatch(/^rate = 7$/m);
  const { code, err } = call('chain-rate-limiter', ['check'], { CHAIN_RATE_LIMITER_CONFIG: '/none/x.toml' });
  expect([code, err]).toEqual([
    1,
    'error: cannot read /none/x.toml (ENOENT); give --config a readable file, or leave it out for the defaults\n',
  ]);
});

it('says in one line what is misused', () => {
  expect(call('chain-operator', ['crd'])).toMatchObject({
    code: 2,
    err: 'error: unknown command crd; did you mean crds?\n',
  });
  expect(call('chain-operator', ['check', 'now'])).toMatchObject({
    code: 2,
    err: 'error: unexpected argument now; see --help\n',
  });
  expect(call('chain-operator', ['--controller.concurrency'])).toMatchObject({
    code: 2,
    err: 'error: --controller.concurrency wants a value, as --controller.concurrency=…; see --help\n',
  });
});
