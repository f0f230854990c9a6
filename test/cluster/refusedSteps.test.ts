import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KubeObject, resourceKind } from '../../operator/src/kube/index.ts';
import { type ApiServer, missingApiServer, openApiServer } from '../support/apiServer.ts';
import { ServerFleet } from '../support/operatorKills/simulatedFleet.ts';
import { openTrustedRpcs } from '../support/operatorKills/trustedRpcs.ts';
import { leftOutIf } from '../support/required.ts';
import { until } from '../support/until.ts';

const namespace = 'refused-steps';
const WORDS = 'Jobs of this namespace want a label team';
const CLUSTER = { isNamespaced: false };
const POLICY = resourceKind<KubeObject>(
  'admissionregistration.k8s.io/v1',
  'ValidatingAdmissionPolicy',
  CLUSTER,
);
const BINDING = resourceKind<KubeObject>(
  'admissionregistration.k8s.io/v1',
  'ValidatingAdmissionPolicyBinding',
  CLUSTER,
);
const LONG_MS = 200_000;
type Trusted = Awaited<ReturnType<typeof openTrustedRpcs>>;

describe('a step that a policy refuses', leftOutIf('refused steps', missingApiServer()), () => {
  let server: ApiServer;
  let trusted: Trusted;

  beforeAll(async () => {
    server = await openApiServer();
    trusted = await openTrustedRpcs('sim-1');
  });
  afterAll(() => {
    trusted?.close();
    server?.close();
  });

  async function refuseJobs(): Promise<void> {
    const rules = [
      { apiGroups: ['batch'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['jobs'] },
    ];
    await server.client.create(POLICY, {
      metadata: { name: 'team' },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: { resourceRules: rules },
        validations: [
          { expression: "has(object.metadata.labels) && 'team' in object.metadata.labels", message: WORDS },
        ],
      },
    } as never);
    await server.client.create(BINDING, {
      metadata: { name: 'team' },
      spec: { policyName: 'team', validationActions: ['Deny'] },
    } as never);
  }

  it("is told with the policy's words, and goes on when the policy is gone", {
    timeout: 600_000,
  }, async () => {
    const fleet = new ServerFleet(server.client, namespace);
    await fleet.create(1, trusted.urls, { evmSplit: true });
    await refuseJobs();
    const stalled = async () =>
      (await fleet.list())[0]?.status?.conditions?.find(({ type }) => type === 'Stalled');
    const turns = (is: () => Promise<boolean>) => async () => {
      await fleet.turn();
      return is();
    };
    await until(
      'it is said',
      turns(async () => (await stalled())?.reason === 'ObjectRefused'),
      LONG_MS,
    );
    const { message = '' } = (await stalled()) ?? {};
    expect(message).toContain(WORDS);
    expect(message).toContain('satisfy the policy');
    expect(message).toContain('tried again every minute');
    await server.client.delete(BINDING, { name: 'team' });
    const isSplit = async () => (await fleet.list())[0]?.status?.migration?.phase === 'Succeeded';
    await until('it goes on', turns(isSplit), LONG_MS);
    expect(await stalled()).toMatchObject({ status: 'False', reason: 'Healthy' });
  });
});
