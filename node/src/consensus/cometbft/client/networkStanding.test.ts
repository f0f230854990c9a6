import { CodedError } from '@chain/platform';
import { expect, it } from 'vitest';
import { NetworkStandings } from './networkStanding.ts';

const STATUS = { sync_info: { catching_up: true } };
const NET_INFO = { n_peers: '3' };

it('many who ask are one question', async () => {
  let asked = 0;
  const standings = new NetworkStandings({
    batch: async () => {
      asked++;
      return [STATUS, NET_INFO];
    },
  });
  const answers = await Promise.all(Array.from({ length: 50 }, () => standings.newest()));
  expect(answers[49]).toEqual({ catchingUp: true, peers: 3 });
  expect(asked).toBeLessThan(5);
});

it("what CometBFT refuses is nobody's answer", async () => {
  const refused = new CodedError('CONSENSUS_COMET_REFUSED', 'no');
  const standings = new NetworkStandings({ batch: async () => [STATUS, refused] });
  await expect(standings.newest()).rejects.toBe(refused);
});
