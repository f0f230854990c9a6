import { CodedError } from '@chain/platform';

/** Faults of a spec that rendering finds; each says what to write instead. */
export const resourceErrors = {
  reservedKey: (file: string, key: string, remedy: string) =>
    new CodedError('RESOURCES_RESERVED_KEY', `${file}: ${key} is set by the operator; ${remedy}`, {
      fields: { file, key },
    }),
  reservedName: (what: string, name: string, remedy: string) =>
    new CodedError('RESOURCES_RESERVED_NAME', `${what} "${name}" is the operator's own; ${remedy}`, {
      fields: { what, name },
    }),
  badToml: (field: string, cause: unknown, why: string) =>
    new CodedError('RESOURCES_TOML', `${field}: ${why}`, { fields: { field }, cause }),
  badKey: (source: string, why: string, cause?: unknown) =>
    new CodedError('RESOURCES_KEY', `${source} holds no key: ${why}`, { fields: { source }, cause }),
} as const;
