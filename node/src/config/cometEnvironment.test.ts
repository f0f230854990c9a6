import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cometEnvironment } from './cometEnvironment.ts';
import { loadConfig } from './loadConfig.ts';

it('peers and state sync come from the environment too, and reach CometBFT by its own', async () => {
  const home = await mkdtemp(join(tmpdir(), 'comet-environment-'));
  await mkdir(join(home, 'config'));
  for (const file of ['app.toml', 'config.toml']) await writeFile(join(home, 'config', file), '');
  const environment = {
    CHAIND_P2P_PERSISTENT_PEERS: 'a@b:1',
    CHAIND_STATESYNC_ENABLE: 'true',
    CHAIND_STATESYNC_TRUST_HEIGHT: '7',
  };
  const { comet } = await loadConfig({ home, environment });
  expect(comet.statesync).toMatchObject({ enable: true, trust_height: 7 });
  expect(cometEnvironment(comet)).toMatchObject({
    CMT_P2P_PERSISTENT_PEERS: 'a@b:1',
    CMT_P2P_LADDR: 'tcp://127.0.0.1:26656',
    CMT_P2P_DIAL_TIMEOUT: '3s',
    CMT_STATESYNC_ENABLE: 'true',
    CMT_STATESYNC_TRUST_HEIGHT: '7',
    CMT_STATESYNC_TRUST_PERIOD: '168h',
  });
  await rm(home, { recursive: true });
});
