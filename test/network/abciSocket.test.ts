import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@chain/platform';
import {
  ResponseProcessProposal_ProposalStatus,
  ResponseVerifyVoteExtension_VerifyStatus,
} from 'cosmjs-types/tendermint/abci/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AbciHandlers, NO_SNAPSHOTS, openAbciServer } from '../../node/src/consensus/index.ts';
import { type CometProcess, missingCometbft, startCometbft } from '../support/cometbft.ts';
import { leftOutIf } from '../support/required.ts';
import { until } from '../support/until.ts';

const leftOut = leftOutIf('the ABCI socket under CometBFT itself', missingCometbft());
const NOTHING = new Uint8Array(0);

/** An application whose state is the transactions that it has seen, one hash over all. */
function hashChain(): AbciHandlers {
  let height = 0n;
  let next = { height, hash: NOTHING };
  let hash: Uint8Array = NOTHING;
  const checked = { code: 0, data: NOTHING, log: '', info: '', gasWanted: 1n, gasUsed: 0n, codespace: '' };
  return {
    ...NO_SNAPSHOTS,
    info: () => ({ data: '', version: '', appVersion: 0n, lastBlockHeight: height, lastBlockAppHash: hash }),
    initChain: () => ({ validators: [], appHash: NOTHING }),
    query: ({ path }) => ({
      code: 0,
      log: '',
      info: '',
      index: 0n,
      key: NOTHING,
      value: Buffer.from(path),
      codespace: '',
      height,
    }),
    checkTx: ({ tx }) => ({ ...checked, code: tx.length > 0 ? 0 : 1, events: [] }),
    prepareProposal: ({ txs }) => ({ txs }),
    processProposal: () => ({ status: ResponseProcessProposal_ProposalStatus.ACCEPT }),
    extendVote: () => ({ voteExtension: NOTHING }),
    verifyVoteExtension: () => ({ status: ResponseVerifyVoteExtension_VerifyStatus.ACCEPT }),
    finalizeBlock: (block) => {
      const digest = createHash('sha256').update(hash);
      for (const tx of block.txs) digest.update(tx);
      next = { height: block.height, hash: digest.digest() };
      const txResults = block.txs.map((tx) => ({ ...checked, data: tx, events: [] }));
      return { events: [], txResults, validatorUpdates: [], appHash: next.hash };
    },
    commit: () => {
      ({ height, hash } = next);
      return { retainHeight: 0n };
    },
  };
}

describe('the ABCI socket under CometBFT itself', leftOut, () => {
  let directory: string;
  let comet: CometProcess | undefined;
  let server: Awaited<ReturnType<typeof openAbciServer>>;
  const call = async (path: string): Promise<Record<string, never>> => {
    const { result, error } = (await (await fetch(`${comet!.url}/${path}`)).json()) as Record<string, never>;
    expect(error).toBeUndefined();
    return result!;
  };

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'abci-comet-'));
    const options = { address: `unix://${directory}/app.sock` };
    server = await openAbciServer(options, { handlers: hashChain(), logger: silentLogger });
    comet = await startCometbft(join(directory, 'home'), server.address);
  });
  afterAll(async () => {
    await comet?.stop();
    await server.close();
    rmSync(directory, { recursive: true });
  });

  it('carries blocks, transactions and queries', async () => {
    const included = (await call('broadcast_tx_commit?tx="hello"')) as unknown as {
      tx_result: { data: string };
      height: string;
    };
    expect(Buffer.from(included.tx_result.data, 'base64').toString()).toBe('hello');
    await until('three blocks follow', async () => {
      const { response } = (await call('abci_info')) as unknown as { response: Record<string, string> };
      return Number(response.last_block_height) >= Number(included.height) + 3;
    });
    const { response } = (await call('abci_query?path="/there"')) as unknown as {
      response: { value: string };
    };
    expect(Buffer.from(response.value, 'base64').toString()).toBe('/there');
    expect(server.connections).toBe(4);
  });

  it('carries a block of several megabytes', async () => {
    const sent = Array.from({ length: 3 }, async (_, i) => {
      const tx = Buffer.alloc(900_000, i + 1).toString('base64');
      const body = JSON.stringify({ jsonrpc: '2.0', id: i, method: 'broadcast_tx_commit', params: { tx } });
      const answer = await fetch(comet!.url, { method: 'POST', body });
      return (await answer.json()) as { result: { tx_result: { data: string } } };
    });
    for (const { result } of await Promise.all(sent)) {
      expect(Buffer.from(result.tx_result.data, 'base64').length).toBe(900_000);
    }
  });
});
