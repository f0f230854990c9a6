import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { createNodeKey, nodeIdOf } from './nodeKey.ts';
import { inputOf, nodeOf, SERVING } from './nodes.fixture.ts';
import { matchesSelector } from './peers.ts';
import { bytesOf, grown, largerOf } from './quantity.ts';
import { renderNode } from './renderNode.ts';
import { nodeKeySecret } from './smallObjects.ts';
import { claimSize, volumeClaim } from './volumeClaim.ts';

const ID = 'a'.repeat(40);
const RPC = nodeOf({
  stateStore: { evmSplit: true },
  stateSync: { onInit: true, trust: { rpcServers: ['http://a:26657', 'http://b:26657'] } },
  peers: { static: [`${ID}@p2p.example.org:26656`] },
});
const VALIDATOR = nodeOf(
  {
    role: 'validator',
    chain: { id: 'test-1', genesis: { secretRef: { name: 'g', key: 'genesis.json' } } },
    nodeKey: { secretRef: { name: 'keys', key: 'node' } },
    validatorKey: { secretRef: { name: 'keys', key: 'validator' } },
    proxy: { enabled: false },
    networkPolicy: { enabled: false },
  },
  { name: 'validator-0' },
);
const whole = (input: ReturnType<typeof inputOf>): string => {
  const { objects, statefulSet, scale, absent } = renderNode(input);
  const documents = [...objects, volumeClaim(input.node), statefulSet, scale, { absent }];
  return documents.map((it) => stringify(it, { aliasDuplicateObjects: false })).join('---\n');
};
interface PodTemplate {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly initContainers: readonly object[];
    readonly containers: readonly { readonly name: string; readonly livenessProbe?: object }[];
    readonly volumes: readonly { readonly persistentVolumeClaim: { readonly claimName: string } }[];
  };
}
const podOf = (input: ReturnType<typeof inputOf>): PodTemplate =>
  (renderNode(input).statefulSet.spec as { readonly template: PodTemplate }).template;

describe('the objects of a node', () => {
  it('are for an RPC node what the golden file says', async () => {
    await expect(whole(inputOf(RPC))).toMatchFileSnapshot('golden/rpcNode.yaml');
  });

  it('are for a validator what the golden file says', async () => {
    const signFloor = { address: 'ab'.repeat(20), height: 9, round: 0, step: 3, raise: false };
    await expect(whole(inputOf(VALIDATOR, { signFloor }))).toMatchFileSnapshot('golden/validator.yaml');
  });

  it('restart the node for a changed setting, not for peers that come and go, nor for another limiter', () => {
    const before = renderNode(inputOf(RPC));
    const peers = renderNode(inputOf(RPC, { selectedPeers: [`${'b'.repeat(40)}@b:1`] }));
    expect(peers.statefulSet).toEqual(before.statefulSet);
    expect(peers.objects[0]).not.toEqual(before.objects[0]);
    const limiter = renderNode(inputOf(RPC, { limiterImage: 'other' }));
    expect(limiter.statefulSet.metadata).toEqual(before.statefulSet.metadata);
    const setting = nodeOf({ config: { app: { evm: { max_log_no_block: 5 } } } });
    expect(renderNode(inputOf(setting)).configHash).not.toBe(renderNode(inputOf(nodeOf())).configHash);
    const kept = renderNode({ ...inputOf(setting), configHash: before.configHash });
    expect(kept.configHash).toBe(before.configHash);
  });

  it('leave no pod while the volume is worked on, and none in hibernation', () => {
    const replicas = (input: ReturnType<typeof inputOf>) => renderNode(input).scale.spec;
    expect(replicas(inputOf(RPC))).toEqual({ replicas: 1 });
    expect(replicas(inputOf(RPC, { desired: { ...SERVING, runs: false } }))).toEqual({ replicas: 0 });
    expect(replicas(inputOf(nodeOf({ hibernate: true })))).toEqual({ replicas: 0 });
    expect(JSON.stringify(renderNode(inputOf(RPC)).statefulSet)).not.toContain('"replicas"');
  });

  it("hand the volume to the pod's user first where the storage does not", () => {
    const names = (storage: object, podTemplate = {}) =>
      podOf(inputOf(nodeOf({ storage: { size: '1Gi', ...storage }, podTemplate }))).spec
        .initContainers as readonly { readonly name: string; readonly command?: readonly string[] }[];
    expect(names({}).map(({ name }) => name)).not.toContain('volume');
    const [first, second] = names({ takeOwnership: true });
    expect([first?.name, second?.name]).toEqual(['volume', 'home']);
    expect(first?.command?.slice(-2)).toEqual(['1000:1000', '/var/lib/chain']);
    const own = names({ takeOwnership: true }, { securityContext: { runAsUser: 7, runAsGroup: 8 } });
    expect(own[0]?.command?.at(-2)).toBe('7:8');
  });

  it('run where and with what the spec adds, beside what the operator needs', () => {
    const scheduling = {
      nodeSelector: { disk: 'fast' },
      priorityClassName: 'high',
      runtimeClassName: 'kata',
      tolerations: [{ key: 'chain', operator: 'Exists' }],
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' }],
    };
    const named = (name: string) => ({ name, image: 'more' });
    const podTemplate = {
      labels: { team: 'a' },
      annotations: { note: 'b' },
      serviceAccountName: 'mine',
      extraContainers: [named('exporter')],
      extraInitContainers: [named('first')],
      extraVolumes: [{ name: 'scratch', emptyDir: {} }],
      extraEnv: [{ name: 'X', value: '1' }],
      extraVolumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
    };
    const { metadata, spec } = podOf(inputOf(nodeOf({ scheduling, podTemplate } as never)));
    expect(spec).toMatchObject({ ...scheduling, serviceAccountName: 'mine' });
    expect(metadata).toMatchObject({ labels: { team: 'a' }, annotations: { note: 'b' } });
    const namesOf = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);
    expect(namesOf(spec.initContainers as never)).toEqual(['first', 'home', 'rate-limiter']);
    expect(namesOf(spec.containers)).toEqual(['node', 'exporter']);
    expect(namesOf(spec.volumes as never)).toContain('scratch');
    expect(spec.containers[0]).toMatchObject({
      env: expect.arrayContaining([{ name: 'X', value: '1' }]),
      volumeMounts: expect.arrayContaining([{ name: 'scratch', mountPath: '/scratch' }]),
    });
  });

  it('hold the volume of a fenced node without touching it', () => {
    const { metadata, spec } = podOf(inputOf(nodeOf({ fenced: true })));
    expect(metadata.labels['chain.dev/serving']).toBe('false');
    expect(spec.initContainers).toEqual([]);
    expect(spec.containers.map(({ name, livenessProbe }) => [name, livenessProbe])).toEqual([
      ['node', undefined],
    ]);
  });

  it('go to the volume that a migration names', () => {
    const { spec } = podOf(inputOf(RPC, { desired: { ...SERVING, claim: 'restored' } }));
    expect(spec.volumes[0]?.persistentVolumeClaim.claimName).toBe('restored');
    const adopted = nodeOf({ storage: { size: '1Gi', source: { existingClaim: { name: 'mine' } } } });
    expect(podOf(inputOf(adopted)).spec.volumes[0]?.persistentVolumeClaim.claimName).toBe('mine');
    expect(volumeClaim(adopted)).toBeUndefined();
    expect(claimSize(adopted, { name: 'mine', uid: 'u' }, '2Gi')).toMatchObject({
      metadata: { name: 'mine' },
    });
  });

  it('keep a node from disturbance while it restores, also in a fleet that has a budget of its own', () => {
    const budget = (input: ReturnType<typeof inputOf>) =>
      renderNode(input).objects.find(({ kind }) => kind === 'PodDisruptionBudget')?.spec;
    const fleet = nodeOf({}, { labels: { 'chain.dev/fleet': 'f' } });
    const held = { ...SERVING, isProtected: true };
    expect(budget(inputOf(RPC))).toMatchObject({ maxUnavailable: 1 });
    expect(budget(inputOf(RPC, { desired: held }))).toMatchObject({ maxUnavailable: 0 });
    expect(budget(inputOf(fleet))).toBeUndefined();
    expect(budget(inputOf(fleet, { desired: held }))).toMatchObject({ maxUnavailable: 0 });
  });
});

describe('what a spec may not say', () => {
  const refused = (spec: Parameters<typeof nodeOf>[0]) => () => renderNode(inputOf(nodeOf(spec)));
  it('is refused with what to write instead', () => {
    expect(refused({ config: { app: { 'state-store': { 'evm-ss-split': true } } } })).toThrow(
      'spec.config.app: state-store.evm-ss-split is set by the operator; use spec.stateStore',
    );
    expect(refused({ config: { cometToml: '[p2p]\npersistent-peers = "x"\n' } })).toThrow(
      'spec.config.cometToml: p2p.persistent-peers is set by the operator; use spec.peers',
    );
    expect(refused({ config: { comet: { statesync: { enable: true } } } })).toThrow('use spec.stateSync');
    expect(refused({ config: { appToml: 'a = ' } })).toThrow('spec.config.appToml: line');
    expect(refused({ proxy: { toml: '[listen]\nport = 1\n' } })).toThrow('listen.port');
    expect(refused({ podTemplate: { extraEnv: [{ name: 'CHAIND_RPC_LADDR', value: 'x' }] } })).toThrow(
      'write the setting into spec.config',
    );
    expect(refused({ podTemplate: { labels: { 'chain.dev/serving': 'false' } } })).toThrow('own');
  });
});

describe('keys and sizes', () => {
  it('makes a node key whose id is that of its public half, and refuses another', () => {
    const text = createNodeKey();
    expect(nodeIdOf(text, 'k')).toMatch(/^[0-9a-f]{40}$/);
    const { priv_key: key } = JSON.parse(text) as { priv_key: { value: string } };
    const bytes = Buffer.from(key.value, 'base64');
    bytes[63]! ^= 1;
    const wrong = text.replace(key.value, bytes.toString('base64'));
    expect(() => nodeIdOf(wrong, 'Secret x')).toThrow('Secret x holds no key');
    expect(() => nodeIdOf(generateKeyPairSync('ed25519').publicKey.asymmetricKeyType ?? '', 'x')).toThrow(
      'holds no key',
    );
    expect(nodeKeySecret(nodeOf())).toMatchObject({ immutable: true, type: 'Opaque' });
  });

  it('reads quantities as Kubernetes does', () => {
    const sizes = ['1Ti', '1024Gi', '1e3', '1.5Gi', '20M', '2 TB', undefined] as const;
    expect(sizes.map(bytesOf)).toEqual([
      1n << 40n,
      1n << 40n,
      1000n,
      3n << 29n,
      20_000_000n,
      undefined,
      undefined,
    ]);
    expect([largerOf('20Gi', '10Gi'), largerOf('20Gi', '1Ti'), largerOf('1Gi', undefined)]).toEqual([
      '20Gi',
      '1Ti',
      '1Gi',
    ]);
    expect(grown('10Gi', { increase: '20%', max: '1Ti' })).toBe('12288Mi');
    expect(grown('10Gi', { increase: '5Gi', max: '12Gi' })).toBe('12288Mi');
    expect(grown('10Gi', { increase: '5Gi', max: '10Gi' })).toBe('10Gi');
  });

  it('never shrinks by growing', () => {
    const mib = fc.integer({ min: 1, max: 1 << 30 });
    fc.assert(
      fc.property(mib, mib, fc.integer({ min: 1, max: 999 }), (size, max, percent) => {
        const next = grown(`${size}Mi`, { increase: `${percent}%`, max: `${max}Mi` });
        expect(bytesOf(next)).toBeGreaterThanOrEqual(bytesOf(`${size}Mi`)!);
        expect(bytesOf(next)).toBeLessThanOrEqual(BigInt(Math.max(size, max)) << 20n);
      }),
    );
  });

  it('leaves a node alone whose spec wishes for another state store', () => {
    const trust = { trust: { rpcServers: ['http://a:26657', 'http://b:26657'] } };
    const pod = (wish: object) =>
      renderNode(inputOf(nodeOf({ stateSync: trust, stateStore: wish }))).statefulSet;
    expect(pod({ evmSplit: true })).toEqual(pod({}));
    expect(pod({ backend: 'rocksdb' })).toEqual(pod({}));
  });

  it('chooses peers by every kind of expression', () => {
    const node = nodeOf({
      peers: {
        selector: {
          matchLabels: { a: '1' },
          matchExpressions: [{ key: 'b', operator: 'NotIn', values: ['x'] }],
        },
      },
    });
    const { selector = {} } = node.spec.peers;
    expect(
      [{ a: '1' }, { a: '1', b: 'x' }, { b: 'y' }].map((labels) => matchesSelector(selector, labels)),
    ).toEqual([true, false, false]);
  });
});
