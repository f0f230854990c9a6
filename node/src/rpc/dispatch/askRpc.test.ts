import { it } from 'vitest';
import type { Caller } from '../rpcMethod.ts';
import { askRpcOf } from './askRpc.ts';
import { DispatchedCall } from './dispatchedCall.ts';
import type { Dispatcher } from './dispatcher.ts';

it('a call that begins when nobody waits any more is told so', async () => {
  const told = Promise.withResolvers<void>();
  const dispatcher = {
    answer: (_body: Buffer, caller: Caller) => {
      new DispatchedCall(caller).signal.addEventListener('abort', () => told.resolve());
      return '{"jsonrpc":"2.0","id":1,"result":1}';
    },
  };
  const ask = askRpcOf(dispatcher as unknown as Dispatcher);
  await ask('eth_call', [], { client: 'a', signal: AbortSignal.abort(), maxBytes: 1000 });
  await told.promise;
});
