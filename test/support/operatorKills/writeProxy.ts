import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as send } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type CredentialSource, loadCredentials } from '../../../operator/src/kube/index.ts';
import { writeKubeconfig } from '../writeKubeconfig.ts';

/** What somebody asks the API server to change. */
export interface ApiWrite {
  readonly method: string;
  /** Plural, with the part: `chainnodes/status`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly body: unknown;
}

export interface WriteProxy {
  /** Path of one that leads here. */
  readonly kubeconfig: string;
  close(): Promise<void>;
}

/**
 * Stands before an API server and shows each write, before it is sent on and when it is done but not yet answered.
 * Whoever says true has killed the one who asked: it is not sent on, or not answered.
 */
export async function openWriteProxy(
  { kubeconfig, directory }: { readonly kubeconfig: string; readonly directory: string },
  at: (moment: 'before' | 'after', write: ApiWrite) => boolean,
): Promise<WriteProxy> {
  const credentials = loadCredentials(kubeconfig);
  const server = createServer((request, response) => {
    const passing = request.method === 'GET' ? stream : change;
    passing(request, response).catch(() => response.destroy());
  });

  async function stream(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await passOn(credentials, request);
    response.on('close', () => answer.destroy());
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on('error', () => response.destroy()).pipe(response);
  }

  async function change(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const write = writeOf(request, body);
    if (at('before', write)) return void response.destroy();
    const answer = await passOn(credentials, request, body);
    const text = await buffer(answer);
    if (at('after', write)) return void response.destroy();
    response.writeHead(answer.statusCode ?? 502, answer.headers).end(text);
  }

  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    kubeconfig: writeKubeconfig(directory, { server: url, 'insecure-skip-tls-verify': true }, {}),
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function passOn(
  source: CredentialSource,
  { method, url = '/', headers }: IncomingMessage,
  body?: Buffer,
): Promise<IncomingMessage> {
  const { server, tls, headers: own } = await source.get(false);
  const { host: _, ...kept } = headers;
  return new Promise((answered, failed) => {
    send(new URL(url, server), { ...tls, method, headers: { ...kept, ...own } })
      .on('response', answered)
      .on('error', failed)
      .end(body);
  });
}

/** `/apis/GROUP/VERSION/namespaces/NAMESPACE/PLURAL/NAME/PART`; a name may be in the body alone. */
function writeOf({ method = '', url = '/' }: IncomingMessage, text: Buffer): ApiWrite {
  const { pathname } = new URL(url, 'http://proxy');
  const [, namespace = '', plural = '', inPath, part] =
    /\/namespaces\/([^/]+)\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(pathname) ?? [];
  const body: unknown = text.length > 0 ? JSON.parse(text.toString('utf8')) : undefined;
  const name = inPath ?? (body as { metadata?: { name?: string } } | undefined)?.metadata?.name ?? '';
  return { method, resource: part === undefined ? plural : `${plural}/${part}`, namespace, name, body };
}
