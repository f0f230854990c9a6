import type { GenesisJson } from './genesisState.ts';
import { MULTICALL3_CODE } from './multicall3Code.ts';

/** What the presigned transaction of the CREATE2 deployer leaves (Arachnid's deterministic-deployment-proxy). */
const CREATE2_DEPLOYER_CODE =
  '7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3';

/** Contracts that tools expect at the same address on every chain; development homes have them from the first block on. */
export const DEVELOPMENT_CONTRACTS: GenesisJson['evm']['accounts'] = [
  { address: '0x4e59b44847b379578588920ca78fbf26c0b4956c', code: `0x${CREATE2_DEPLOYER_CODE}` },
  { address: '0xca11bde05977b3631167028862be2a173976ca11', code: `0x${MULTICALL3_CODE}` },
];
