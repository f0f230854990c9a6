import { describe, expect, it } from 'vitest';
import { networkPolicy } from '../../operator/src/resources/networkPolicy.ts';
import { inputOf, nodeOf } from '../../operator/src/resources/nodes.fixture.ts';
import { renderNode } from '../../operator/src/resources/renderNode.ts';
import { lets, type Party, type Policy, type Port, selects } from '../support/networkPolicies.ts';

const policyOf = (wanted: object = {}, spec: object = {}): Policy =>
  networkPolicy(
    inputOf(nodeOf({ networkPolicy: wanted, ...spec }), { operatorNamespace: 'chain-system' }),
  ) as unknown as Policy;
const NODE = nodeOf({});
const { namespace } = NODE.metadata;
const podLabels = (
  renderNode(inputOf(NODE)).statefulSet.spec as {
    readonly template: { readonly metadata: { readonly labels: Readonly<Record<string, string>> } };
  }
).template.metadata.labels;

const OPERATOR: Party = {
  namespace: 'chain-system',
  labels: { 'chain.dev/component': 'operator', 'app.kubernetes.io/name': 'renamed' },
};
const SIBLING: Party = { namespace, labels: podLabels };
const JOB: Party = {
  namespace,
  labels: { 'chain.dev/chain': NODE.spec.chain.id, 'chain.dev/migration': 'x' },
};
const STRANGER: Party = { namespace, labels: { app: 'web' } };
const INGRESS: Party = { namespace: 'ingress', labels: { app: 'nginx' } };
const PROMETHEUS: Party = { namespace: 'm', labels: {}, of: { 'chain.dev/monitoring': 'true' } };
const ONLY_INGRESS = {
  rpcFrom: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }],
};

describe('the policy of a node', () => {
  it('selects its pod and no other', () => {
    expect(selects(policyOf(), podLabels)).toBe(true);
    expect(selects(policyOf(), { ...podLabels, 'chain.dev/node': 'another' })).toBe(false);
  });

  it.each([
    ['everyone, when nobody is named', {}, [STRANGER, INGRESS, '203.0.113.1'], true],
    ['who is named', ONLY_INGRESS, [INGRESS], true],
    ['nobody else', ONLY_INGRESS, [STRANGER, '203.0.113.1'], false],
    ['nobody, for an empty list', { rpcFrom: [] }, [STRANGER, INGRESS, '203.0.113.1'], false],
    ['the operator, nodes and Jobs in any case', { rpcFrom: [] }, [OPERATOR, SIBLING, JOB], true],
  ] as const)('lets %s ask JSON-RPC and the consensus RPC', (_, wanted, parties, isLet) => {
    for (const party of parties) {
      for (const port of [8545, 26657]) expect(lets(policyOf(wanted), 'ingress', party, port)).toBe(isLet);
    }
  });

  it('lets the operator and who may read metrics reach the admin ports, and nobody else', () => {
    for (const port of [26661, 9101]) {
      const found = [OPERATOR, PROMETHEUS, STRANGER, SIBLING, JOB, '203.0.113.1'].map((party) =>
        lets(policyOf(), 'ingress', party, port),
      );
      expect(found).toEqual([true, true, false, false, false, false]);
    }
  });

  it('lets peers in as the spec says', () => {
    expect(lets(policyOf(), 'ingress', '203.0.113.1', 26656)).toBe(true);
    expect(lets(policyOf({ p2pFrom: [] }), 'ingress', '203.0.113.1', 26656)).toBe(false);
  });

  it('lets it reach names, peers, and what is outside, but neither metadata nor pods of others', () => {
    const out = (party: Party, port: Port, wanted = {}): boolean =>
      lets(policyOf(wanted), 'egress', party, port);
    const dns: Party = { namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } };
    expect([out(dns, '53/UDP'), out('169.254.20.10', '53/UDP'), out(dns, 9153)]).toEqual([true, true, false]);
    expect([out('203.0.113.1', 26656), out('2001:db8::1', 26656)]).toEqual([true, true]);
    expect([out(SIBLING, 26656), out({ namespace: 'other', labels: podLabels }, 26656)]).toEqual([
      true,
      true,
    ]);
    for (const address of ['169.254.169.254', '100.100.100.200', 'fe80::1', 'fd00:ec2::254'])
      expect(out(address, 80)).toBe(false);
    expect(out(STRANGER, 5432)).toBe(false);
    const extra = { egress: [{ to: [{ podSelector: { matchLabels: { app: 'web' } } }] }] };
    expect(out(STRANGER, 5432, extra)).toBe(true);
  });

  it('is not made where none is wanted', () => {
    expect(policyOf({ enabled: false })).toBe(undefined);
  });
});
