import { param } from '../codec/codec.ts';
import { stringCodec } from '../codec/plainCodecs.ts';
import { rpcMethod } from '../rpcMethod.ts';
import { STRING } from '../schema/valueSchemas.ts';

/** For clients that test a connection. */
export const echo = rpcMethod({
  name: 'echo_echo',
  summary: 'The text that it was given',
  params: [param('text', stringCodec)],
  result: STRING,
  handle: (_deps, [text]) => text,
});
