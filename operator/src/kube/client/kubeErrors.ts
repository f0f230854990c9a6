import { CodedError, isCodedError, oneLine, parseJson } from '@chain/platform';

/**
 * What may come of a request. CONFLICT: somebody else was first, look again. REFUSED: the same request will never be
 * taken. UNAVAILABLE: later, after `fields.retryAfterMs` when it is there. GONE: the version is too old, list anew.
 */
export type KubeErrorCode =
  | 'KUBE_CONFLICT'
  | 'KUBE_EXISTS'
  | 'KUBE_NOT_FOUND'
  | 'KUBE_REFUSED'
  | 'KUBE_FORBIDDEN'
  | 'KUBE_UNAUTHORIZED'
  | 'KUBE_GONE'
  | 'KUBE_UNAVAILABLE';

export interface FailedAnswer {
  readonly status: number;
  readonly body: string;
  readonly retryAfter?: string | undefined;
}

/** The part of a Status object that is looked at. */
interface StatusBody {
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly retryAfterSeconds?: number };
}

/** A server, or a proxy before it, that asks for more time than this is asked all the same. */
const MAX_WAIT_MS = 300_000;

/** An answer that is no success, as an error that says what to do. */
export function kubeError(what: string, answer: FailedAnswer): CodedError<KubeErrorCode> {
  const { message = answer.body, reason, details } = readStatus(answer.body);
  const code = codeOf(answer.status, reason, message);
  const retryAfterMs = retryAfterOf(answer.retryAfter, details?.retryAfterSeconds);
  const fields = { status: answer.status, reason, ...(retryAfterMs && { retryAfterMs }) };
  return new CodedError(code, `${what}: ${oneLine(message)} (${answer.status}${remedyOf(code, message)})`, {
    fields,
  });
}

/** No answer at all. */
export function unreachable(what: string, cause: unknown): CodedError<'KUBE_UNAVAILABLE'> {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CodedError('KUBE_UNAVAILABLE', `${what}: no answer from the API server (${reason})`, { cause });
}

/** In milliseconds; undefined when the server did not ask for a wait. */
export function retryAfterMsOf(error: unknown): number | undefined {
  const value = isCodedError(error) ? error.fields.retryAfterMs : undefined;
  return typeof value === 'number' ? value : undefined;
}

/** Nothing can be made any more in a namespace that is being deleted, and nothing of it will be left. */
export const isOfEndingNamespace = (error: unknown): boolean =>
  isCodedError(error, 'KUBE_FORBIDDEN') && error.message.includes('because it is being terminated');

// A body is text, and behind proxies not always a Status.
function readStatus(body: string): StatusBody {
  try {
    const parsed: unknown = parseJson(body);
    return typeof parsed === 'object' && parsed !== null ? (parsed as StatusBody) : {};
  } catch {
    return {};
  }
}

function codeOf(status: number, reason: string | undefined, message: string): KubeErrorCode {
  switch (status) {
    case 400:
    case 413:
    case 415:
    case 422:
      return 'KUBE_REFUSED';
    case 401:
      return 'KUBE_UNAUTHORIZED';
    case 403:
      return 'KUBE_FORBIDDEN';
    case 404:
    case 405:
      return 'KUBE_NOT_FOUND';
    case 409:
      return reason === 'AlreadyExists' ? 'KUBE_EXISTS' : 'KUBE_CONFLICT';
    case 410:
      return 'KUBE_GONE';
    // A list that has one key twice: the server will say the same for ever.
    case 500:
      return message.includes('failed to create typed patch object') ? 'KUBE_REFUSED' : 'KUBE_UNAVAILABLE';
    default:
      return 'KUBE_UNAVAILABLE';
  }
}

function retryAfterOf(header: string | undefined, seconds: number | undefined): number | undefined {
  const asked = header !== undefined && /^\d+$/.test(header) ? Number(header) : seconds;
  return asked === undefined ? undefined : Math.min(asked * 1000, MAX_WAIT_MS);
}

function remedyOf(code: KubeErrorCode, message: string): string {
  if (message.includes('exceeded quota')) return '; raise the ResourceQuota, or free what it counts';
  if (/admission (webhook|policy)|ValidatingAdmissionPolicy/i.test(message))
    return '; satisfy the policy that says so, or exempt the operator from it';
  if (/storageclass.* must support resize|allowVolumeExpansion/i.test(message))
    return '; set allowVolumeExpansion of the StorageClass, or take the growth back';
  if (code === 'KUBE_FORBIDDEN') return "; grant it to the operator's ServiceAccount";
  if (code === 'KUBE_UNAUTHORIZED') return "; the operator's credentials are not taken";
  return '';
}
