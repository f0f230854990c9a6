// `helm test`: the fleet's Service answers JSON-RPC, its limiter refuses a burst, and the fleet says that it is available.
import { readFileSync } from 'node:fs';

const { FLEET, NAMESPACE, BURST, KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT } = process.env;
const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

await check('net_version', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'net_version', params: [] });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`http://${FLEET}:8545`, { method: 'POST', headers, body });
  const { result } = await answer.json();
  return [typeof result === 'string' && result !== '', result];
});

if (Number(BURST) > 0) {
  await check('the rate limit', async () => {
    const statuses = [];
    // Not all at once: a client has only so many connections.
    while (statuses.length < Number(BURST)) {
      const asked = Array.from({ length: 8 }, () => fetch(`http://${FLEET}:26657/health`));
      for (const { status } of await Promise.all(asked)) statuses.push(status);
    }
    const refused = statuses.filter((status) => status === 429).length;
    return [refused > 0 && refused < statuses.length, `${refused} of ${statuses.length} refused`];
  });
}

await check('the fleet', async () => {
  const url = `https://${KUBERNETES_SERVICE_HOST}:${KUBERNETES_SERVICE_PORT}/apis/chain.dev/v1alpha1/namespaces/${NAMESPACE}/chainnodefleets/${FLEET}`;
  const headers = { authorization: `Bearer ${readFileSync(`${ACCOUNT}/token`, 'utf8')}` };
  const { status } = await (await fetch(url, { headers })).json();
  const available = status?.conditions?.find(({ type }) => type === 'Available');
  return [available?.status === 'True', `Available ${available?.status}: ${available?.message ?? available?.reason}`];
});

async function check(name, attempt) {
  const [isGood, details] = await attempt().catch((error) => [false, error.cause?.message ?? error.message]);
  console.log(`${isGood ? 'ok' : 'FAILED'}: ${name}: ${details}`);
  if (!isGood) process.exitCode = 1;
}
