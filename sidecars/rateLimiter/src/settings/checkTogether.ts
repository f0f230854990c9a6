import type { Finding } from '@chain/platform/settings';
import { Network } from '../client/index.ts';
import type { LimiterSettings } from './limiterTable.ts';

const METHOD_PATTERN = /^[A-Za-z0-9_]+\*?$|^\*$/;

/** What a single key's form cannot say: networks, method patterns, and rules between keys. */
export function checkTogether(settings: LimiterSettings): Finding[] {
  const { clients, limit, methods, listen, admin } = settings;
  const findings: Finding[] = [];
  const refuse = (key: string, value: unknown, [problem, remedy]: readonly [string, string]): void => {
    findings.push({ source: 'settings', key, value, problem, remedy });
  };
  const networks = { 'clients.trusted-proxies': clients['trusted-proxies'], 'limit.exempt': limit.exempt };
  for (const [key, list] of Object.entries(networks)) {
    for (const network of list.filter((text) => !Network.parse(text))) {
      refuse(key, network, ['no network', 'write an address, or one with /bits']);
    }
  }
  for (const list of ['allow', 'deny'] as const) {
    for (const method of methods[list].filter((name) => !METHOD_PATTERN.test(name))) {
      refuse(`methods.${list}`, method, ['no method', 'write a name such as "status" or "unsafe_*"']);
    }
  }
  if (clients['proxy-protocol'] && clients['trusted-proxies'].length === 0) {
    refuse('clients.proxy-protocol', true, ['nobody is trusted to send it', 'name clients.trusted-proxies']);
  }
  if (listen.port !== 0 && listen.port === admin.port && listen.address === admin.address) {
    refuse('admin.port', admin.port, ['listen.port is the same', 'write another']);
  }
  return findings;
}
