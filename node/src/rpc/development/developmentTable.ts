import type { RpcMethod } from '../rpcMethod.ts';
import { DUMPING } from './dumping.ts';
import { EDITING } from './editing.ts';
import { FIXED_BY_CHAIN } from './fixedByChain.ts';
import { IMPERSONATING } from './impersonating.ts';
import { MINING } from './mining.ts';
import { NODE_INFO } from './nodeInfo.ts';
import { POOL } from './pool.ts';
import { RESETTING } from './resetting.ts';
import { SENDING } from './sending.ts';
import { SIGNING } from './signing.ts';
import { SNAPSHOTS } from './snapshots.ts';
import { TIME } from './time.ts';

/** Methods of development homes; elsewhere they do not exist (spec R-26). */
export const DEVELOPMENT_METHODS: readonly RpcMethod[] = [
  ...SENDING,
  ...SIGNING,
  ...MINING,
  ...TIME,
  ...EDITING,
  ...IMPERSONATING,
  ...SNAPSHOTS,
  ...DUMPING,
  ...NODE_INFO,
  ...POOL,
  ...RESETTING,
  ...FIXED_BY_CHAIN,
];
