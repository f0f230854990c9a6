import { join } from 'node:path/posix';
import type { ChainNode } from '../api/index.ts';
import { lockedDown } from './containerParts.ts';
import { dataMounts, homeEnv } from './dataVolume.ts';
import { POD_NAMES } from './nodeNames.ts';

/** Makes the home on an empty volume, and puts keys and settings into it at each start. */
export function homeContainer(node: ChainNode): object {
  const { spec } = node;
  return {
    name: POD_NAMES.home,
    image: spec.image,
    imagePullPolicy: spec.imagePullPolicy,
    command: [spec.chain.binary],
    args: initArguments(node),
    env: homeEnv(node),
    // Why it refuses is what a person looks for first.
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: lockedDown(node),
    resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '512Mi' } },
    volumeMounts: [
      ...dataMounts(node),
      { name: POD_NAMES.configVolume, mountPath: POD_NAMES.configMount, readOnly: true },
      { name: POD_NAMES.keysVolume, mountPath: POD_NAMES.keysMount, readOnly: true },
      ...(spec.validatorKey
        ? [{ name: POD_NAMES.signFloorVolume, mountPath: POD_NAMES.signFloorMount, readOnly: true }]
        : []),
      ...(genesisVolume(node)
        ? [{ name: POD_NAMES.genesisVolume, mountPath: POD_NAMES.genesisMount, readOnly: true }]
        : []),
    ],
  };
}

const SIGN_FLOOR = `--sign-floor=${join(POD_NAMES.signFloorMount, POD_NAMES.signFloorFile)}`;

/** `chaind init` for this node; the same arguments at each start. */
export function initArguments({ metadata, spec }: ChainNode): string[] {
  const { chain, role, stateSync, validatorKey } = spec;
  const key = (name: string): string => join(POD_NAMES.keysMount, name);
  return [
    'init',
    chain.moniker ?? metadata.name,
    '--if-absent',
    `--mode=${role}`,
    `--engine=${chain.engine}`,
    `--settings=${POD_NAMES.configMount}`,
    `--node-key=${key('node_key.json')}`,
    ...(validatorKey ? [`--validator-key=${key('priv_validator_key.json')}`, SIGN_FLOOR] : []),
    ...genesisArguments(chain),
    ...(stateSync.onInit && stateSync.trust ? trustArguments(stateSync.trust) : []),
  ];
}

function genesisArguments({ id, evmChainId, genesis }: ChainNode['spec']['chain']): string[] {
  if (genesis?.url) return [`--genesis=${genesis.url.url}`, `--genesis-sha256=${genesis.url.sha256}`];
  if (genesis?.configMapRef || genesis?.secretRef) {
    return [`--genesis=${join(POD_NAMES.genesisMount, 'genesis.json')}`];
  }
  return [`--chain-id=${id}`, ...(evmChainId === undefined ? [] : [`--evm-chain-id=${evmChainId}`])];
}

function trustArguments({
  rpcServers,
  heightDelta,
  minAgreeing,
}: NonNullable<ChainNode['spec']['stateSync']['trust']>): string[] {
  return [
    ...rpcServers.map((url) => `--trusted-rpc=${url}`),
    `--delta=${heightDelta}`,
    ...(minAgreeing === 1 ? ['--allow-single-rpc'] : []),
  ];
}

/** The genesis of a ConfigMap or a Secret; `undefined` where it is fetched or made. */
export function genesisVolume({ spec: { chain } }: ChainNode): object | undefined {
  const { configMapRef, secretRef } = chain.genesis ?? {};
  const name = POD_NAMES.genesisVolume;
  if (configMapRef) {
    const items = [{ key: configMapRef.key, path: 'genesis.json' }];
    return { name, configMap: { name: configMapRef.name, items } };
  }
  if (!secretRef) return undefined;
  return {
    name,
    secret: { secretName: secretRef.name, items: [{ key: secretRef.key, path: 'genesis.json' }] },
  };
}
