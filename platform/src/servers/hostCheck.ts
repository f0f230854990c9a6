import { isIP } from 'node:net';
import { type HttpReply, refusal } from './httpExchange.ts';

const WITH_PORT = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/;

/**
 * Which hosts a request may name. A page whose own name was made to lead to this machine (DNS rebinding) still names
 * itself, so a listener answers to its own names and to addresses alone, as geth's `--http.vhosts`.
 */
export class HostCheck {
  readonly #names: ReadonlySet<string>;
  /** Clients name the same host again and again. */
  #known: string | undefined;

  /** `*`: any. */
  constructor(names: readonly string[]) {
    this.#names = new Set(names.map((name) => name.toLowerCase()));
  }

  allows(host: string | undefined): boolean {
    // No browser leaves it out.
    if (host === undefined || host === this.#known || this.#names.has('*')) return true;
    const isAllowed = this.#judge(host);
    if (isAllowed) this.#known = host;
    return isAllowed;
  }

  #judge(host: string): boolean {
    const name = WITH_PORT.exec(host.toLowerCase())?.[1]?.replace(/^\[|\]$|\.$/g, '');
    return name === '' || (name !== undefined && (isIP(name) !== 0 || this.#names.has(name)));
  }
}

export const ANY_HOST: readonly string[] = ['*'];

/** 403, in geth's words. */
export function unknownHost(): HttpReply {
  return refusal(403, 'invalid host specified: add its name to vhosts in the settings of this listener');
}

/** Whether a page comes from the listener itself. */
export function isSameOrigin(origin: string, host: string | undefined): boolean {
  return host !== undefined && URL.parse(origin)?.host === host.toLowerCase();
}
