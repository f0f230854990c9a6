import { EvmState, initRecentBlocks } from '../../evm/index.ts';
import {
  associate,
  FEE_COLLECTOR_CHAIN_ADDRESS,
  FEE_COLLECTOR_EVM_ADDRESS,
  initStaking,
  readAccountWei,
  readBalanceWei,
  readSupply,
  readUnits,
  writeAccountWei,
  writeBalanceWei,
  writeSupply,
  writeUnits,
} from '../../ledger/index.ts';
import type { Overlay } from '../../state/view/index.ts';
import { writeFeeParameters } from '../feeMarket/feeParameters.ts';
import type { GenesisBalance, GenesisState } from './genesisState.ts';

/**
 * Writes the state before the first block. The supply of the base denomination follows from the balances when
 * the block's change set is settled.
 */
export function initGenesis(genesis: GenesisState, overlay: Overlay): void {
  writeFeeParameters(overlay, genesis.feeParameters);
  associate(overlay, {
    evmAddress: FEE_COLLECTOR_EVM_ADDRESS,
    chainAddress: FEE_COLLECTOR_CHAIN_ADDRESS,
  });
  for (const association of genesis.associations) associate(overlay, association);
  for (const balance of genesis.balances) credit(overlay, balance);
  if (genesis.staking) {
    initStaking(overlay, genesis.staking.validators, genesis.staking.unbondingSeconds);
  }
  const state = new EvmState(overlay);
  for (const { address, nonce, code, storage } of genesis.contracts) {
    if (nonce > 0n) state.setNonce(address, nonce);
    if (code.length > 0) state.setCode(address, code);
    for (const { slot, value } of storage) state.setStorage(address, slot, value);
  }
  initRecentBlocks(state);
}

function credit(overlay: Overlay, { address, kind, wei, coins }: GenesisBalance): void {
  if (kind === 'evm') writeBalanceWei(overlay, address, readBalanceWei(overlay, address) + wei);
  else writeAccountWei(overlay, address, readAccountWei(overlay, address) + wei);
  for (const { denomination, amount } of coins) {
    const held = readUnits(overlay, address, denomination);
    writeUnits(overlay, address, { denomination, amount: held + amount });
    writeSupply(overlay, denomination, readSupply(overlay, denomination) + amount);
  }
}
