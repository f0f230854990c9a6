import * as slashing from 'cosmjs-types/cosmos/slashing/v1beta1/query';
import { readSigningInfo, readSlashingParams, signingInfoRows } from '../../ledger/index.ts';
import { parseConsensus } from '../addresses.ts';
import { pageOf } from '../page.ts';
import { queryErrors } from '../queryErrors.ts';
import { type QueryMethod, queryMethod } from '../queryMethod.ts';

const SERVICE = '/cosmos.slashing.v1beta1.Query';

export const SLASHING_METHODS: readonly QueryMethod[] = [
  queryMethod(
    `${SERVICE}/Params`,
    [slashing.QueryParamsRequest, slashing.QueryParamsResponse],
    (_request, { state }) => {
      const params = readSlashingParams(state);
      if (!params) throw queryErrors.notFound("this chain's genesis has no staking");
      return { params };
    },
  ),
  queryMethod(
    `${SERVICE}/SigningInfo`,
    [slashing.QuerySigningInfoRequest, slashing.QuerySigningInfoResponse],
    ({ consAddress }, { state }) => {
      const valSigningInfo = readSigningInfo(state, parseConsensus(consAddress));
      if (!valSigningInfo) throw queryErrors.notFound(`SigningInfo not found for validator ${consAddress}`);
      return { valSigningInfo };
    },
  ),
  queryMethod(
    `${SERVICE}/SigningInfos`,
    [slashing.QuerySigningInfosRequest, slashing.QuerySigningInfosResponse],
    async (request, scope) => {
      const { items, pagination } = await pageOf(scope, signingInfoRows(), request.pagination);
      return { info: items.map(({ info }) => info), pagination };
    },
  ),
];
