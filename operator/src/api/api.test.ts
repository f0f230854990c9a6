import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  apiReference,
  CUSTOM_RESOURCES,
  customResourceDefinition,
  definitionTexts,
  fleetSpecOf,
  type NODE_CONDITIONS,
  nodeSpecOf,
  withConditions,
} from './index.ts';

const GIVEN = {
  chain: { id: 'testnet-1' },
  image: 'chain-node:6.5.0',
  storage: { size: '2Ti' },
} as const;

describe('the custom resources', () => {
  it('have definitions and a page that are up to date', () => {
    for (const [plural, text] of definitionTexts()) {
      expect(readFileSync(`k8s/crd/${plural}.yaml`, 'utf8')).toBe(text);
    }
    expect(readFileSync('docs/reference/chainNode.md', 'utf8')).toBe(apiReference());
  });

  it('say of every field what it is', () => {
    const mute: string[] = [];
    const walk = (path: string, schema: Record<string, never>): void => {
      for (const [name, property] of Object.entries(schema.properties ?? {})) {
        const { description } = property as { description?: string };
        if (!description) mute.push(`${path}.${name}`);
        walk(`${path}.${name}`, property as never);
      }
    };
    for (const { spec, status } of CUSTOM_RESOURCES) {
      walk('spec', spec.schema as never);
      walk('status', status.schema as never);
    }
    expect(mute.filter((path) => !path.endsWith('.name'))).toEqual([]);
  });

  it('fit into the annotation in which kubectl keeps what was applied', () => {
    for (const resource of CUSTOM_RESOURCES) {
      expect(JSON.stringify(customResourceDefinition(resource)).length).toBeLessThan(262_144);
    }
  });
});

describe('defaults', () => {
  it('fill groups that were left out, and what was left out in groups that were given', () => {
    const spec = nodeSpecOf({ ...GIVEN, migration: { retry: { maxAttempts: 2 } } });
    expect(spec.migration).toMatchObject({
      policy: 'Automatic',
      retry: { maxAttempts: 2, backoffMin: '1m', backoffMax: '30m' },
      timeouts: { sync: '12h' },
      onFailure: 'Hold',
    });
    expect(spec.stateStore).toEqual({ backend: 'pebbledb', evmSplit: false });
    expect(spec.proxy.rate).toEqual({ requestsPerSecond: 10, burst: 20 });
    expect(spec.stateSync).toEqual({ onInit: false, tempDir: 'tmp', assumeSnapshots: false });
    expect(spec.nodeKey).toEqual({ generate: true });
  });

  it('reach into the template of a fleet and into lists', () => {
    const spec = fleetSpecOf({
      template: { spec: GIVEN as never },
      update: { windows: [{ cron: '0 3 * * *', duration: '2h' } as never] },
    });
    expect(spec.replicas).toBe(3);
    expect(spec.template.spec.proxy.rate.burst).toBe(20);
    expect(spec.update.windows[0]?.timeZone).toBe('UTC');
  });

  it('leave what was given, and give no two objects one default', () => {
    expect(nodeSpecOf({ ...GIVEN, nodeKey: { secretRef: { name: 'k' } } }).nodeKey).toEqual({
      secretRef: { name: 'k', key: 'node_key.json' },
    });
    expect(nodeSpecOf(GIVEN).migration).not.toBe(nodeSpecOf(GIVEN).migration);
  });
});

describe('conditions', () => {
  const at = (seconds: number) => ({ generation: 1, nowMs: seconds * 1000 });
  const ready = (status: 'True' | 'False', message: string) =>
    ({ type: 'Ready', status, reason: status === 'True' ? 'Serving' : 'Syncing', message }) as const;

  it('move their time only with their status', () => {
    const first = withConditions<typeof NODE_CONDITIONS>([], [ready('False', 'a')], at(0));
    const second = withConditions<typeof NODE_CONDITIONS>(first, [ready('False', 'b')], at(10));
    const third = withConditions<typeof NODE_CONDITIONS>(second, [ready('True', 'b')], at(20));
    expect(first[0]?.lastTransitionTime).toBe('1970-01-01T00:00:00Z');
    expect(second[0]).toMatchObject({ message: 'b', lastTransitionTime: '1970-01-01T00:00:00Z' });
    expect(third[0]?.lastTransitionTime).toBe('1970-01-01T00:00:20Z');
  });

  it('stay when nobody judges them again', () => {
    const first = withConditions<typeof NODE_CONDITIONS>([], [ready('True', '')], at(0));
    const paused = { type: 'Paused', status: 'False', reason: 'NotPaused', message: '' } as const;
    expect(withConditions(first, [paused], at(1)).map(({ type }) => type)).toEqual(['Ready', 'Paused']);
  });
});
