import { rpcSpec } from '../rpcSpec.ts';

const LIAR = 'liar';

/** An RPC node of the samples' network that trusts these two. */
export function rpcNode(name: string, rpcServers: readonly string[], storage: object = {}): object {
  const spec = rpcSpec(rpcServers);
  return {
    apiVersion: 'chain.dev/v1alpha1',
    kind: 'ChainNode',
    metadata: { name },
    spec: {
      ...spec,
      stateSync: { ...spec.stateSync, assumeSnapshots: true },
      storage: { ...spec.storage, size: '1Gi', ...storage },
      migration: { ...spec.migration, timeouts: { discover: '30s' } },
    },
  };
}

/** A consensus RPC by a name of our own; whose answers come from there: a validator, the liar, nobody. */
export function trustedService(name: string, from: number | 'liar' | 'nobody'): object {
  const selector =
    typeof from === 'number'
      ? { 'statefulset.kubernetes.io/pod-name': `validator-${from}-0` }
      : { 'trusted-by': from };
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector, ports: [{ name: 'rpc', port: 26657, targetPort: 'rpc' }] },
  };
}

/** Answers as a validator does, but with another hash of each block. */
export function liarPod(validator: string): object {
  const script = `require('http').createServer(async (request, response) => {
    const { method, url } = request;
    const asked = await Array.fromAsync(request);
    const body = method === 'GET' ? undefined : Buffer.concat(asked);
    const answer = await fetch('http://${validator}:26657' + url, { method, body }).then((it) => it.text());
    const lie = answer.replaceAll(/("block_id":\\s*\\{\\s*"hash":\\s*")[0-9A-F]{4}/g, '$1DEAD');
    response.setHeader('connection', 'close').end(lie);
  }).listen(26657)`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: LIAR, labels: { 'trusted-by': LIAR } },
    spec: {
      terminationGracePeriodSeconds: 0,
      containers: [
        {
          name: LIAR,
          image: 'localhost/chain-node:6.5.0',
          imagePullPolicy: 'IfNotPresent',
          command: ['node', '-e', script],
          ports: [{ name: 'rpc', containerPort: 26657 }],
        },
      ],
    },
  };
}

/** A volume of this machine's directory, and the claim that has it. */
export function staticVolume(claim: string, namespace: string, path: string): object[] {
  const size = { storage: '1Gi' };
  const access = { accessModes: ['ReadWriteOnce'], storageClassName: '' };
  return [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: claim },
      spec: { ...access, capacity: size, hostPath: { path }, claimRef: { namespace, name: claim } },
    },
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: claim, namespace },
      spec: { ...access, resources: { requests: size }, volumeName: claim },
    },
  ];
}
