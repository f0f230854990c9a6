import { deployPointer, EvmState, initRecentBlocks, writeForks } from '../../evm/index.ts';
import {
  associate,
  bondGenesisValidators,
  decodeLedgerTransaction,
  EventLog,
  ensureAccount,
  FEE_COLLECTOR_CHAIN_ADDRESS,
  FEE_COLLECTOR_EVM_ADDRESS,
  initStaking,
  readAccountWei,
  readBalanceWei,
  readChainAddress,
  readSupply,
  readUnits,
  runLedgerTransaction,
  writeAccountWei,
  writeBalanceWei,
  writeMetadata,
  writeSupply,
  writeUnits,
} from '../../ledger/index.ts';
import type { Overlay } from '../../state/view/index.ts';
import { writeFeeParameters } from '../feeMarket/feeParameters.ts';
import { genesisError } from './genesisFields.ts';
import type { GenesisBalance, GenesisState } from './genesisState.ts';

/** As in the SDK, genesis transactions run without a limit. */
const UNLIMITED_GAS = 2n ** 63n;

/**
 * Writes the state before the first block. The supply of the base denomination follows from the balances when
 * the block's change set is settled.
 */
export function initGenesis(genesis: GenesisState, overlay: Overlay, soleValidator?: Uint8Array): void {
  writeFeeParameters(overlay, genesis.feeParameters);
  if (genesis.forks.length > 0) writeForks(overlay, genesis.forks);
  associate(overlay, {
    evmAddress: FEE_COLLECTOR_EVM_ADDRESS,
    chainAddress: FEE_COLLECTOR_CHAIN_ADDRESS,
  });
  for (const association of genesis.associations) associate(overlay, association);
  for (const metadata of genesis.denominations) writeMetadata(overlay, metadata);
  for (const balance of genesis.balances) credit(overlay, balance);
  if (genesis.staking) beginStaking(genesis, overlay, soleValidator);
  const state = new EvmState(overlay);
  for (const { address, nonce, code, storage } of genesis.contracts) {
    if (nonce > 0n) state.setNonce(address, nonce);
    if (code.length > 0) state.setCode(address, code);
    for (const { slot, value } of storage) state.setStorage(address, slot, value);
  }
  initRecentBlocks(state);
}

function beginStaking(
  { staking, origin }: GenesisState,
  overlay: Overlay,
  soleValidator: Uint8Array | undefined,
): void {
  const effects = { overlay, events: new EventLog() };
  const block = { ...origin, height: 0, soleValidator, deployPointer };
  initStaking(effects, staking!, block);
  for (const [i, raw] of staking!.transactions.entries()) {
    const options = {
      bytes: raw.length,
      minimumFee: 0n,
      mayBeAhead: false,
      gasLimit: UNLIMITED_GAS,
      onFault: stop,
    };
    const { code, log } = runLedgerTransaction(decodeLedgerTransaction(raw), overlay, block, options);
    if (code !== 0) throw genesisError(`app_state.genutil.gen_txs[${i}]`, log, 'a transaction that succeeds');
  }
  bondGenesisValidators(effects, block);
}

/** Genesis is the operator's own: a chain that cannot begin as it says does not begin. */
function stop(error: unknown): never {
  throw error;
}

function credit(overlay: Overlay, { address, kind, wei, coins }: GenesisBalance): void {
  if (kind === 'evm') writeBalanceWei(overlay, address, readBalanceWei(overlay, address) + wei);
  else {
    writeAccountWei(overlay, address, readAccountWei(overlay, address) + wei);
    ensureAccount(overlay, address);
  }
  const account = (kind === 'evm' && readChainAddress(overlay, address)) || address;
  for (const { denomination, amount } of coins) {
    const held = readUnits(overlay, account, denomination);
    writeUnits(overlay, account, { denomination, amount: held + amount });
    writeSupply(overlay, denomination, readSupply(overlay, denomination) + amount);
  }
}
