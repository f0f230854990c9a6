import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client, credentials } from '@grpc/grpc-js';
import { QueryBalanceRequest } from 'cosmjs-types/cosmos/bank/v1beta1/query';
import type { DevNode } from '../support/devNode.ts';
import type { Report } from './bench.ts';
import { SENDER_ADDRESSES } from './ledgerSends.ts';
import { measureRequestRate } from './loadGenerator.ts';

const CONNECTIONS = 16;
/** In turns, so that what else the machine does strikes all alike. */
const TURNS = 3;
const BALANCE = '/cosmos.bank.v1beta1.Query/Balance';

interface Subject {
  rate(seconds: number): Promise<number>;
}

/** Reads a second beside a bare server of the same library that sends the same bytes. */
export async function ledgerReads(report: Report, node: DevNode, seconds: number): Promise<void> {
  const [address] = SENDER_ADDRESSES;
  const paths = [
    ['a balance', `/cosmos/bank/v1beta1/balances/${address}/by_denom?denom=usei`],
    ['validators, 5 a page', '/cosmos/staking/v1beta1/validators?pagination.limit=5'],
    ['a block', '/cosmos/base/tendermint/v1beta1/blocks/1'],
  ] as const;
  for (const [what, path] of paths) {
    const answer = await (await fetch(node.restUrl + path)).text();
    const bare = await startBare('bareServer.ts', answer);
    const subject = (url: string): Subject => ({
      rate: (s) => measureRequestRate({ url, paths: [path], connections: CONNECTIONS, seconds: s }),
    });
    const subjects = [subject(node.restUrl), subject(`http://127.0.0.1:${bare.port}`)] as const;
    await compare(report, { name: `REST, ${what}`, peer: 'bare node:http' }, { subjects, seconds });
    bare.stop();
  }
  await grpcReads(report, node, seconds);
}

async function grpcReads(report: Report, node: DevNode, seconds: number): Promise<void> {
  const request = Buffer.from(
    QueryBalanceRequest.encode({ address: SENDER_ADDRESSES[0]!, denom: 'usei' }).finish(),
  );
  const own = grpcSubject(node.grpcAddress, request);
  const bare = await startBare('bareGrpcServer.ts', {
    path: BALANCE,
    answer: (await own.call()).toString('base64'),
  });
  const other = grpcSubject(`127.0.0.1:${bare.port}`, request);
  await compare(
    report,
    { name: 'gRPC, a balance', peer: 'bare grpc-js server' },
    { subjects: [own, other], seconds },
  );
  own.close();
  other.close();
  bare.stop();
}

function grpcSubject(address: string, request: Buffer) {
  const client = new Client(address, credentials.createInsecure());
  const asIs = (given: Buffer): Buffer => given;
  const call = (): Promise<Buffer> =>
    new Promise((answered, failed) => {
      client.makeUnaryRequest(BALANCE, asIs, asIs, request, (error, answer) =>
        error ? failed(error) : answered(answer!),
      );
    });
  const rate = async (seconds: number): Promise<number> => {
    let calls = 0;
    const started = performance.now();
    const end = started + seconds * 1000;
    const lane = async (): Promise<void> => {
      while (performance.now() < end) {
        await call();
        calls++;
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, lane));
    return calls / ((performance.now() - started) / 1000);
  };
  return { call, rate, close: () => client.close() };
}

async function compare(
  report: Report,
  { name, peer }: { readonly name: string; readonly peer: string },
  { subjects, seconds }: { readonly subjects: readonly [Subject, Subject]; readonly seconds: number },
): Promise<void> {
  const rates = [0, 0];
  for (const subject of subjects) await subject.rate(0.5);
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [i, subject] of subjects.entries()) rates[i]! += (await subject.rate(seconds / TURNS)) / TURNS;
  }
  const [value = 0, limit = 0] = rates;
  report({ name, value, unit: 'calls/s', peer: `${peer} (${Math.round(limit)}/s)`, ratio: value / limit });
}

/** A server in a process of its own; `message` tells it what to send. */
async function startBare(file: string, message: string | object): Promise<{ port: number; stop(): void }> {
  const server = fork(join(import.meta.dirname, file));
  server.send(message);
  const [port] = (await once(server, 'message')) as [number];
  return { port, stop: () => void server.kill() };
}
