import type { IpBytes } from '@chain/platform';
import { Network } from '../client/index.ts';
import { MethodRules } from '../rules/index.ts';
import type { LimiterSettings } from '../settings/index.ts';

/** Settings in force, in the form in which requests are judged by them. A new one takes the place of the old. */
export class Policy {
  readonly settings: LimiterSettings;
  readonly rules: MethodRules;
  readonly #trusted: readonly Network[];
  readonly #exempt: readonly Network[];

  constructor(settings: LimiterSettings) {
    this.settings = settings;
    this.rules = new MethodRules(settings.methods);
    this.#trusted = networksOf(settings.clients['trusted-proxies']);
    this.#exempt = networksOf(settings.limit.exempt);
  }

  isTrusted(address: IpBytes): boolean {
    return this.#trusted.some((network) => network.has(address));
  }

  /** Whether calls and connections of this client are not counted. */
  isExempt(address: IpBytes): boolean {
    return this.#exempt.some((network) => network.has(address));
  }
}

function networksOf(texts: readonly string[]): Network[] {
  return texts.flatMap((text) => Network.parse(text) ?? []);
}
