import { type Setting, text } from '@chain/platform/settings';

type FileKey = 'cert' | 'key' | 'jwt' | 'apiKeys';

const FILES: Readonly<Record<FileKey, Setting<string>>> = {
  cert: text(
    '',
    'Certificate and its chain in PEM: the listener speaks TLS; read again when the file changes; empty = plain text',
  ),
  key: text('', 'Key of the certificate in PEM'),
  jwt: text(
    '',
    'File with 32 bytes in hex: clients send `Authorization: Bearer` and a JWT (HS256) of this secret, issued within 60 s; empty = none',
  ),
  apiKeys: text(
    '',
    'File with API keys, each on a line, itself or `sha256:` and its hash: clients send one as `Authorization: Bearer`; empty = none',
  ),
};

/** TLS and tokens of a listener (spec N-8). Paths are absolute or begin at the home; the files are never in settings. */
export const ACCESS_SETTINGS = {
  'tls-cert-file': FILES.cert,
  'tls-key-file': FILES.key,
  'jwt-secret-file': FILES.jwt,
  'api-keys-file': FILES.apiKeys,
} as const;

/** The same as `[evm]` spells its keys. */
export const EVM_ACCESS_SETTINGS = {
  tls_cert_file: FILES.cert,
  tls_key_file: FILES.key,
  jwt_secret_file: FILES.jwt,
  api_keys_file: FILES.apiKeys,
} as const;
