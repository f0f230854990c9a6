import { randomBytes } from 'node:crypto';
import { CodedError, isCodedError } from '@chain/platform';
import { KINDS, type KubeClient } from '../../kube/index.ts';

/** `seed-1`, `seed-2`, …: the highest seals, each of them opens. */
const SEED = /^seed-([1-9][0-9]{0,5})$/;
const SEED_BYTES = 32;

/** Secrets of the operator's own, from which keys that backups are sealed to follow; never empty, the newest first. */
export interface SealingSeeds {
  all(): Promise<readonly Uint8Array[]>;
}

/**
 * In a Secret of the operator's namespace, made once. Nobody who reads pods, Jobs or Secrets of other namespaces can
 * open what is sealed to it. Throws TASK_SEALING for a Secret of another shape.
 */
export function sealingSeeds(
  client: KubeClient,
  ref: { readonly namespace: string; readonly name: string },
): SealingSeeds {
  const read = async () => {
    const secret = await client.get(KINDS.secret, ref);
    return secret && seedsIn(secret.data ?? {}, ref.name);
  };
  return {
    all: async () => (await read()) ?? (await make(client, ref)) ?? (await read()) ?? missing(ref.name),
  };
}

function seedsIn(data: Readonly<Record<string, string>>, name: string): readonly Uint8Array[] {
  const numbered = Object.entries(data).flatMap(([key, value]) => {
    const number = Number(SEED.exec(key)?.[1]);
    const seed = Buffer.from(value, 'base64');
    return Number.isNaN(number) || seed.length < SEED_BYTES ? [] : [{ number, seed }];
  });
  if (numbered.length === 0) missing(name);
  return numbered.sort((a, b) => b.number - a.number).map(({ seed }) => seed);
}

/** `undefined` when another operator was first. */
async function make(
  client: KubeClient,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<readonly Uint8Array[] | undefined> {
  const seed = randomBytes(SEED_BYTES);
  try {
    await client.create(KINDS.secret, {
      metadata: { namespace, name, labels: { 'app.kubernetes.io/managed-by': 'chain-operator' } },
      type: 'Opaque',
      data: { 'seed-1': seed.toString('base64') },
    });
    return [seed];
  } catch (error) {
    if (isCodedError(error, 'KUBE_EXISTS')) return undefined;
    throw error;
  }
}

function missing(name: string): never {
  throw new CodedError(
    'TASK_SEALING',
    `Secret "${name}" of the operator has no entry seed-1 with at least ${SEED_BYTES} bytes; delete it, and another is made`,
    { fields: { name } },
  );
}
