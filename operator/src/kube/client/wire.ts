/**
 * A type of client-node as it is on the wire: times are text, and names that are reserved words in JavaScript have
 * no underscore. Objects are never put through the library's models: these drop what they do not know.
 */
export type Wire<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Wire<Item>[]
    : T extends object
      ? { readonly [K in keyof T as K extends `_${infer Name}` ? Name : K]: Wire<T[K]> }
      : T;

/** What every object has. */
export interface KubeObject {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?:
    | {
        readonly name?: string | undefined;
        readonly namespace?: string | undefined;
        readonly uid?: string | undefined;
        readonly resourceVersion?: string | undefined;
        readonly generation?: number | undefined;
        readonly creationTimestamp?: string | undefined;
        readonly deletionTimestamp?: string | undefined;
        readonly finalizers?: readonly string[] | undefined;
        readonly labels?: Readonly<Record<string, string>> | undefined;
        readonly annotations?: Readonly<Record<string, string>> | undefined;
      }
    | undefined;
}

/** What is handed to the API server: any part of an object. What is left out is not touched. */
export type Partially<T> = T extends readonly (infer Item)[]
  ? readonly Partially<Item>[]
  : T extends object
    ? { readonly [K in keyof T]?: Partially<T[K]> | undefined }
    : T;

/** Who wrote which field takes as much room as the object, and nobody here asks. What is sent without it leaves it. */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata === undefined || !('managedFields' in object.metadata)) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
