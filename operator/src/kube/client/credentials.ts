import type { RequestOptions } from 'node:https';
import { CodedError } from '@chain/platform';
import { KubeConfig } from '@kubernetes/client-node';

/** What a request is sent with: where to, certificates, and headers that say who asks. */
export interface Credentials {
  readonly server: URL;
  readonly tls: Pick<
    RequestOptions,
    'ca' | 'cert' | 'key' | 'pfx' | 'passphrase' | 'servername' | 'rejectUnauthorized'
  >;
  readonly headers: Readonly<Record<string, string>>;
  /** Of clusters behind a proxy (`proxy-url`); else the transport's own is used. */
  readonly agent: RequestOptions['agent'];
}

export interface CredentialSource {
  /** Where the API server is, for people. */
  readonly server: string;
  /** The namespace of the kubeconfig's context, or of the pod. */
  readonly namespace: string;
  /** `anew` reads files and tokens again: those in use were not taken. */
  get(anew: boolean): Promise<Credentials>;
}

/** Files and tokens are read again this often: both are rotated. */
const READ_MS = 30_000;

/**
 * From a kubeconfig file, else from KUBECONFIG or the home directory, else from the pod's ServiceAccount. Throws
 * KUBE_NO_CLUSTER.
 */
export function loadCredentials(file?: string): CredentialSource {
  let config = load(file);
  const cluster = config.getCurrentCluster();
  if (!cluster?.server) {
    const where = file ?? 'KUBECONFIG, ~/.kube/config and the ServiceAccount';
    throw new CodedError(
      'KUBE_NO_CLUSTER',
      `no cluster in ${where}; set KUBECONFIG or --kubernetes.kubeconfig`,
    );
  }
  const server = new URL(cluster.server);
  let read: Promise<Credentials> | undefined;
  let readAt = 0;
  return {
    server: cluster.server,
    namespace: config.getContextObject(config.getCurrentContext())?.namespace ?? 'default',
    get: (anew) => {
      const now = performance.now();
      if (anew || read === undefined || now - readAt > READ_MS) {
        readAt = now;
        // The library keeps a token for a minute; one that was refused must not be taken from there.
        if (anew) config = reload(file, config);
        read = readFrom(config, server, cluster.proxyUrl !== undefined);
        read.catch(() => {
          read = undefined;
        });
      }
      return read;
    },
  };
}

function load(file: string | undefined): KubeConfig {
  const config = new KubeConfig();
  try {
    if (file === undefined || file === '') config.loadFromDefault();
    else config.loadFromFile(file);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CodedError('KUBE_NO_CLUSTER', `cannot read the kubeconfig (${reason}); set KUBECONFIG`, {
      cause,
    });
  }
  return config;
}

/** A file that is being written just now leaves what there was. */
function reload(file: string | undefined, before: KubeConfig): KubeConfig {
  try {
    return load(file);
  } catch {
    return before;
  }
}

async function readFrom(config: KubeConfig, server: URL, isProxied: boolean): Promise<Credentials> {
  const options: RequestOptions = { headers: {} };
  await config.applyToHTTPSOptions(options);
  const { ca, cert, key, pfx, passphrase, servername, rejectUnauthorized, agent, auth } = options;
  const headers = { ...(options.headers as Record<string, string>) };
  if (auth) headers.Authorization = `Basic ${Buffer.from(auth).toString('base64')}`;
  const tls = { ca, cert, key, pfx, passphrase, servername, rejectUnauthorized };
  return {
    server,
    tls: Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined && value !== null)),
    headers,
    agent: isProxied ? agent : undefined,
  };
}
