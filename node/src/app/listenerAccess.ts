import { resolve } from 'node:path';
import type { Lifecycle, Logger } from '@chain/platform';
import { type Access, type AccessOptions, openAccess } from '@chain/platform/servers';
import type { NodeConfig } from '../config/index.ts';

type DashedSection = 'grpc' | 'api' | 'admin' | 'consensus-rpc';

/** What each listener asks of who comes, by its section of app.toml. */
export type ListenerAccess = Readonly<Record<'evm' | DashedSection, Access>>;

/** Reads the files that the settings name. Throws the errors of `openAccess`. */
export async function openListenerAccess(
  { home, app }: NodeConfig,
  { lifecycle, logger }: { readonly lifecycle: Lifecycle; readonly logger: Logger },
): Promise<ListenerAccess> {
  const open = async (given: AccessOptions): Promise<Access> => {
    const atHome = Object.entries(given).map(([name, file]) => [
      name,
      file === '' ? '' : resolve(home, file),
    ]);
    return lifecycle.own(await openAccess(Object.fromEntries(atHome) as AccessOptions, { logger }));
  };
  const ofSection = (section: DashedSection): Promise<Access> => {
    const files = app[section];
    return open({
      certificateFile: files['tls-cert-file'],
      keyFile: files['tls-key-file'],
      jwtSecretFile: files['jwt-secret-file'],
      apiKeysFile: files['api-keys-file'],
    });
  };
  return {
    evm: await open({
      certificateFile: app.evm.tls_cert_file,
      keyFile: app.evm.tls_key_file,
      jwtSecretFile: app.evm.jwt_secret_file,
      apiKeysFile: app.evm.api_keys_file,
    }),
    grpc: await ofSection('grpc'),
    api: await ofSection('api'),
    admin: await ofSection('admin'),
    'consensus-rpc': await ofSection('consensus-rpc'),
  };
}
