import type { PageRequest } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination';
import * as tendermint from 'cosmjs-types/cosmos/base/tendermint/v1beta1/query';
import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys';
import { consensusAddress, sortValidators } from '../../comet/index.ts';
import { hexToBytes } from '../../primitives/index.ts';
import { answerApplication, pathParts } from '../abci/answerApplication.ts';
import { consensusText } from '../addresses.ts';
import { pageOfList } from '../page.ts';
import { queryErrors } from '../queryErrors.ts';
import { type QueryMethod, type QueryScope, queryMethod } from '../queryMethod.ts';
import { findBlock, sdkBlock, wireBlock, wireBlockId } from './blocks.ts';

const SERVICE = '/cosmos.base.tendermint.v1beta1.Service';

export const TENDERMINT_METHODS: readonly QueryMethod[] = [
  queryMethod(
    `${SERVICE}/GetNodeInfo`,
    [tendermint.GetNodeInfoRequest, tendermint.GetNodeInfoResponse],
    (_request, scope) => applicationInfo(scope),
  ),
  queryMethod(
    `${SERVICE}/GetSyncing`,
    [tendermint.GetSyncingRequest, tendermint.GetSyncingResponse],
    async (_request, { deps }) => ({ syncing: (await deps.network()).catchingUp }),
  ),
  queryMethod(
    `${SERVICE}/GetLatestBlock`,
    [tendermint.GetLatestBlockRequest, tendermint.GetLatestBlockResponse],
    (_request, scope) => blockAt(scope, scope.deps.chain.height),
  ),
  queryMethod(
    `${SERVICE}/GetBlockByHeight`,
    [tendermint.GetBlockByHeightRequest, tendermint.GetBlockByHeightResponse],
    ({ height }, scope) => blockAt(scope, Number(height)),
  ),
  queryMethod(
    `${SERVICE}/GetLatestValidatorSet`,
    [tendermint.GetLatestValidatorSetRequest, tendermint.GetLatestValidatorSetResponse],
    ({ pagination }, scope) => validatorSet(scope, scope.deps.chain.height, pagination),
  ),
  queryMethod(
    `${SERVICE}/GetValidatorSetByHeight`,
    [tendermint.GetValidatorSetByHeightRequest, tendermint.GetValidatorSetByHeightResponse],
    ({ height, pagination }, scope) =>
      validatorSet(scope, findBlock(scope, Number(height)).height, pagination),
  ),
  queryMethod(
    `${SERVICE}/ABCIQuery`,
    [tendermint.ABCIQueryRequest, tendermint.ABCIQueryResponse],
    (request, scope) => abciQuery(request, scope),
  ),
];

/** Stores and the application only: methods of services have their own way in. */
function abciQuery(request: tendermint.ABCIQueryRequest, scope: QueryScope): tendermint.ABCIQueryResponse {
  const { path, data, prove } = request;
  const [first] = pathParts(path);
  if (first === undefined) throw queryErrors.invalid('empty request');
  if (first !== 'app' && first !== 'store') {
    throw queryErrors.invalid(`invalid ABCI query path: ${path.slice(0, 100)}`);
  }
  // Without a height of its own the query is about that of the call.
  const height = Number(request.height) || scope.height;
  const { proof, ...answer } = answerApplication({ path, data, prove, height }, scope);
  return tendermint.ABCIQueryResponse.fromPartial({
    ...answer,
    height: BigInt(answer.height),
    ...(proof && { proofOps: { ops: [...proof] } }),
  });
}

function blockAt(scope: QueryScope, height: number): tendermint.GetBlockByHeightResponse {
  const { record } = findBlock(scope, height);
  return {
    blockId: wireBlockId(record.block),
    block: wireBlock(record.block),
    sdkBlock: sdkBlock(record.block),
  };
}

function validatorSet(
  { deps }: QueryScope,
  height: number,
  request: PageRequest | undefined,
): tendermint.GetValidatorSetByHeightResponse {
  const validators = sortValidators(deps.validatorsAt(height)).map(({ publicKey, power }) => ({
    address: consensusText(consensusAddress(publicKey)),
    pubKey: {
      typeUrl: '/cosmos.crypto.ed25519.PubKey',
      value: PubKey.encode({ key: publicKey }).finish(),
    },
    votingPower: power,
    proposerPriority: 0n,
  }));
  const { items, pagination } = pageOfList(validators, request);
  return { blockHeight: BigInt(height), validators: items, pagination };
}

function applicationInfo({ options }: QueryScope): tendermint.GetNodeInfoResponse {
  const { protocols, id, p2pAddress, rpcAddress, indexing, channels, ...said } = options.nodeInfo;
  return tendermint.GetNodeInfoResponse.fromPartial({
    defaultNodeInfo: {
      ...said,
      protocolVersion: protocols,
      defaultNodeId: id,
      listenAddr: p2pAddress,
      channels: hexToBytes(channels),
      other: { txIndex: indexing ? 'on' : 'off', rpcAddress },
    },
    applicationVersion: {
      name: 'chain',
      appName: 'chaind',
      version: options.release,
      // Clients choose their formats by it: ours are those of this release of the SDK.
      cosmosSdkVersion: 'v0.50.13',
    },
  });
}
