import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** One planted violation a rule: the gate must name it. A gate that sees nothing reports success. */
const PLANTED: Record<string, Record<string, string>> = {
  'db: look only down': {
    'node/src/db/upward.ts': "import { rpc } from '../rpc/index.ts';\nexport const upward = rpc;\n",
    'node/src/rpc/index.ts': 'export const rpc = 1;\n',
  },
  'state/commit: look only down': {
    'node/src/state/commit/stranger.ts':
      "import { store } from '../store/index.ts';\nexport const stranger = store;\n",
    'node/src/state/store/index.ts': 'export const store = 1;\n',
  },
  'enter by the door': {
    'node/src/execution/window.ts':
      "import { inner } from '../evm/inner.ts';\nexport const window = inner;\n",
    'node/src/evm/inner.ts': 'export const inner = 1;\n',
  },
  'evm/wasm/memory: look only down': {
    'node/src/evm/wasm/memory/upward.ts':
      "import { frame } from '../frames/index.ts';\nexport const upward = frame;\n",
    'node/src/evm/wasm/frames/index.ts': 'export const frame = 1;\n',
  },
  'enter by the door of evm/wasm': {
    'node/src/evm/wasm/run/window.ts':
      "import { inner } from '../frames/inner.ts';\nexport const window = inner;\n",
    'node/src/evm/wasm/frames/inner.ts': 'export const inner = 1;\n',
  },
  'enter evm/wasm by its doors': {
    'node/src/evm/wasm/engine.ts': "import { way } from './calls/way.ts';\nexport const engine = way;\n",
    'node/src/evm/wasm/calls/way.ts': 'export const way = 1;\n',
  },
  'not your own door': {
    'node/src/ledger/bank.ts': "import { coin } from './index.ts';\nexport const bank = coin;\n",
    'node/src/ledger/index.ts': 'export const coin = 1;\n',
  },
  'no cycles': {
    'node/src/mempool/a.ts': "import { b } from './b.ts';\nexport const a = (): unknown => b;\n",
    'node/src/mempool/b.ts': "import { a } from './a.ts';\nexport const b = (): unknown => a;\n",
  },
  'classic-level: one landlord': {
    'node/src/history/tenant.ts':
      "import { ClassicLevel } from 'classic-level';\nexport const tenant = ClassicLevel;\n",
  },
  'fastify: one landlord': {
    'node/src/rpc/tenant.ts': "import fastify from 'fastify';\nexport const tenant = fastify;\n",
  },
  '@ethereumjs/: one landlord': {
    'node/src/execution/tenant.ts':
      "import { createEVM } from '@ethereumjs/evm';\nexport const tenant = createEVM;\n",
  },
  'only app and cli read config': {
    'node/src/consensus/reader.ts':
      "import { settings } from '../config/index.ts';\nexport const reader = settings;\n",
    'node/src/config/index.ts': 'export const settings = 1;\n',
  },
  'programs meet only at platform': {
    'platform/src/nosy.ts':
      "import { peer } from '../../node/src/types/peer.ts';\nexport const nosy = peer;\n",
    'node/src/types/peer.ts': 'export const peer = 1;\n',
  },
  'limiter/client: look only down': {
    'sidecars/rateLimiter/src/client/upward.ts':
      "import { proxy } from '../proxy/index.ts';\nexport const upward = proxy;\n",
    'sidecars/rateLimiter/src/proxy/index.ts': 'export const proxy = 1;\n',
  },
  'enter by the door of the limiter': {
    'sidecars/rateLimiter/src/proxy/window.ts':
      "import { inner } from '../limit/inner.ts';\nexport const window = inner;\n",
    'sidecars/rateLimiter/src/limit/inner.ts': 'export const inner = 1;\n',
  },
  'operator/kube: look only down': {
    'operator/src/kube/upward.ts': "import { plan } from '../plan/index.ts';\nexport const upward = plan;\n",
    'operator/src/plan/index.ts': 'export const plan = 1;\n',
  },
  'enter by the door of the operator': {
    'operator/src/task/window.ts':
      "import { inner } from '../kube/inner.ts';\nexport const window = inner;\n",
    'operator/src/kube/inner.ts': 'export const inner = 1;\n',
  },
  '@kubernetes/client-node: one landlord': {
    'operator/src/app/tenant.ts':
      "import { KubeConfig } from '@kubernetes/client-node';\nexport const tenant = KubeConfig;\n",
  },
  'undici: one landlord': {
    'sidecars/rateLimiter/src/app/tenant.ts': "import { Pool } from 'undici';\nexport const tenant = Pool;\n",
  },
  resolves: {
    'node/src/keys/lost.ts': "import { nothing } from './nowhere.ts';\nexport const lost = nothing;\n",
  },
};

interface Report {
  readonly modules: readonly { source: string }[];
  readonly summary: { readonly violations: readonly { rule: { name: string }; from: string }[] };
}

describe('the layer rules', () => {
  let root: string;
  let report: Report;

  beforeAll(() => {
    mkdirSync('reports', { recursive: true });
    root = mkdtempSync('reports/planted-');
    cpSync('tsconfig.json', join(root, 'tsconfig.json'));
    for (const files of Object.values(PLANTED)) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(join(root, dirname(path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
    }
    const tools = join(import.meta.dirname, '../../node_modules/.bin/depcruise');
    const rules = join(import.meta.dirname, '../../.dependency-cruiser.cjs');
    const args = [
      tools,
      '--config',
      rules,
      '--output-type',
      'json',
      'platform',
      'node',
      'operator',
      'sidecars',
    ];
    const run = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
    report = JSON.parse(run.stdout) as Report;
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it.each(Object.entries(PLANTED))('catch a planted violation of "%s"', (rule, files) => {
    const caught = report.summary.violations.filter((violation) => violation.rule.name === rule);
    const planted = Object.keys(files).filter((path) => caught.some(({ from }) => from === path));
    expect(planted.length).toBeGreaterThan(0);
  });

  it('see every planted module', () => {
    const seen = new Set(report.modules.map(({ source }) => source));
    const planted = Object.values(PLANTED).flatMap((files) => Object.keys(files));
    expect(planted.filter((path) => !seen.has(path))).toEqual([]);
  });
});
