import { type Codec, jsonKind, optionalParam } from '../codec/codec.ts';
import { InvalidParam, serverError } from '../rpcError.ts';
import { developmentSetters } from './developmentMethod.ts';

/** What hardhat_reset and anvil_reset are told; all that matters is whether a fork is wanted. */
const forkingCodec: Codec<{ readonly wantsFork: boolean }> = {
  schema: { type: 'object', description: 'empty; this node does not fork other chains' },
  decode: (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new InvalidParam(`options are an object, not ${jsonKind(value)}`);
    }
    const { forking = value } = value as { readonly forking?: unknown };
    return { wantsFork: typeof forking === 'object' && forking !== null && 'jsonRpcUrl' in forking };
  },
};

const CANNOT_FORK =
  'this node cannot fork another chain; reset without `forking`, or use anvil --fork-url with this node behind it';

export const RESETTING = developmentSetters(['anvil_reset', 'hardhat_reset'], {
  summary:
    'Takes back all blocks but the first, forgets snapshots and impersonated accounts, empties the mempool, and sets the clock right',
  params: [optionalParam('options', forkingCodec, undefined)],
  errors: [{ code: -32000, message: CANNOT_FORK }],
  handle: async ({ development }, [options]) => {
    if (options?.wantsFork) throw serverError(CANNOT_FORK);
    development.stopImpersonatingAll();
    await development.controls.reset();
  },
});
