import { type Clock, CodedError, isCodedError, parseJson } from '@chain/platform';
import type {
  ApplyOptions,
  DeleteOptions,
  KubeClient,
  ListOptions,
  LogOptions,
  MetadataPatch,
  ObjectRef,
} from './kubeClient.ts';
import { listAll } from './listAll.ts';
import { pathOf, type ResourceKind } from './resourceKinds.ts';
import type { Transport } from './transport.ts';
import { type KubeObject, type Partially, withoutManagedFields } from './wire.ts';

const APPLY = 'application/apply-patch+yaml';
const MERGE = 'application/merge-patch+json';
const LOG_BYTES = 1024 * 1024;

/** The API server itself: one request a call, pages and the one retry of the transport aside. */
export class DirectClient implements KubeClient {
  readonly #transport: Transport;
  readonly clock: Clock;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.clock = { now: () => Date.now() + transport.skewMs };
  }

  async get<T extends KubeObject>(kind: ResourceKind<T>, ref: ObjectRef): Promise<T | undefined> {
    return await orAbsent(this.#json<T>({ method: 'GET', verb: 'get', path: pathOf(kind, ref) }));
  }

  async list<T extends KubeObject>(kind: ResourceKind<T>, options: ListOptions = {}): Promise<readonly T[]> {
    return (await listAll(this.#transport, kind, options)).items;
  }

  async apply<T extends KubeObject>(
    kind: ResourceKind<T>,
    part: Partially<T>,
    { fieldManager, force = true, subresource }: ApplyOptions,
  ): Promise<T> {
    return await this.#json<T>({
      method: 'PATCH',
      verb: 'apply',
      path: `${pathOf(kind, refIn(kind, part))}${subresource ? `/${subresource}` : ''}`,
      query: { fieldManager, force: String(force) },
      contentType: APPLY,
      body: { ...part, apiVersion: kind.apiVersion, kind: kind.kind },
    });
  }

  async create<T extends KubeObject>(kind: ResourceKind<T>, object: Partially<T>): Promise<T> {
    const { namespace } = refIn(kind, object);
    return await this.#json<T>({
      method: 'POST',
      verb: 'create',
      path: pathOf(kind, { namespace }),
      body: { ...object, apiVersion: kind.apiVersion, kind: kind.kind },
    });
  }

  async replace<T extends KubeObject>(kind: ResourceKind<T>, object: T): Promise<T> {
    return await this.#json<T>({
      method: 'PUT',
      verb: 'replace',
      path: pathOf(kind, refIn(kind, object)),
      body: object,
    });
  }

  async patchStatus<T extends KubeObject>(kind: ResourceKind<T>, seen: T, status: object): Promise<T> {
    const { resourceVersion } = seen.metadata ?? {};
    return await this.#merge<T>(`${pathOf(kind, refIn(kind, seen))}/status`, 'patchStatus', {
      metadata: { resourceVersion },
      status,
    });
  }

  async patchMetadata<T extends KubeObject>(
    kind: ResourceKind<T>,
    ref: ObjectRef,
    patch: MetadataPatch,
  ): Promise<T> {
    return await this.#merge<T>(pathOf(kind, ref), 'patchMetadata', { metadata: patch });
  }

  async patch<T extends KubeObject>(kind: ResourceKind<T>, ref: ObjectRef, patch: object): Promise<T> {
    return await this.#merge<T>(pathOf(kind, ref), 'patch', patch);
  }

  async delete(kind: ResourceKind, ref: ObjectRef, options: DeleteOptions = {}): Promise<boolean> {
    const { uid, resourceVersion, propagation = 'Background' } = options;
    const body = { propagationPolicy: propagation, preconditions: { uid, resourceVersion } };
    try {
      await this.#transport.send({ method: 'DELETE', verb: 'delete', path: pathOf(kind, ref), body });
      return true;
    } catch (error) {
      if (isCodedError(error, 'KUBE_NOT_FOUND')) return false;
      // Another object has the name by now.
      if (isCodedError(error, 'KUBE_CONFLICT') && uid !== undefined && resourceVersion === undefined)
        return false;
      throw error;
    }
  }

  async readLogs(pod: ObjectRef, options: LogOptions): Promise<string | undefined> {
    const { container, sinceTime, tailLines, limitBytes = LOG_BYTES, previous = false } = options;
    const path = `${pathOf({ apiVersion: 'v1', kind: 'Pod', plural: 'pods', isNamespaced: true }, pod)}/log`;
    const query = {
      container,
      sinceTime,
      tailLines: tailLines === undefined ? undefined : String(tailLines),
      limitBytes: String(limitBytes),
      previous: String(previous),
    };
    try {
      return await this.#transport.send({ method: 'GET', verb: 'readLogs', path, query });
    } catch (error) {
      // 400: the container has not started, or did not run before.
      if (isCodedError(error, 'KUBE_NOT_FOUND') || isCodedError(error, 'KUBE_REFUSED')) return undefined;
      throw error;
    }
  }

  async knows({ apiVersion, plural }: ResourceKind): Promise<boolean> {
    const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    type Resources = { readonly resources: readonly { readonly name: string }[] };
    const found = await orAbsent(this.#json<Resources>({ method: 'GET', verb: 'discover', path }));
    return found?.resources.some(({ name }) => name === plural) ?? false;
  }

  async #merge<T>(path: string, verb: string, body: object): Promise<T> {
    return await this.#json<T>({ method: 'PATCH', verb, path, contentType: MERGE, body });
  }

  async #json<T>(request: Parameters<Transport['send']>[0]): Promise<T> {
    return withoutManagedFields(parseJson(await this.#transport.send(request)) as KubeObject) as T;
  }
}

async function orAbsent<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isCodedError(error, 'KUBE_NOT_FOUND')) return undefined;
    throw error;
  }
}

function refIn(
  { kind, isNamespaced }: ResourceKind,
  object: {
    readonly metadata?:
      | { readonly namespace?: string | undefined; readonly name?: string | undefined }
      | undefined;
  },
): ObjectRef {
  const { namespace, name } = object.metadata ?? {};
  if (name === undefined || (isNamespaced && namespace === undefined)) {
    throw new CodedError('KUBE_REFUSED', `a ${kind} without name or namespace cannot be sent`);
  }
  return { namespace, name };
}
