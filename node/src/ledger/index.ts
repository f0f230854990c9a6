/**
 * Who is who and who holds what: accounts, association of EVM and chain addresses, balances, supply.
 * Owns: the rows of the stores `acc` and `bank`, rows 0x01 and 0x02 of `evm`, the list of stores.
 * Does not own: EVM state, transactions, fees.
 * Invariants: wei remainder < 10^12 of every account; the supply is the sum of all balances after each block.
 */
export { type Account, ensureAccount, readAccount, writeAccount } from './account.ts';
export { type Association, associate } from './association.ts';
export { readChainAddress, readEvmAddress, writeAssociation } from './associationRows.ts';
export {
  readAccountWei,
  readBalanceWei,
  readUnits,
  writeAccountWei,
  writeBalanceWei,
  writeUnits,
} from './balance.ts';
export { BASE_DENOMINATION, WEI_PER_UNIT } from './denomination.ts';
export { FEE_COLLECTOR_CHAIN_ADDRESS, FEE_COLLECTOR_EVM_ADDRESS } from './feeCollector.ts';
export { STORE_NAMES } from './storeNames.ts';
export { readSupply, readSupplyWei, settleSupply, writeSupply } from './supply.ts';
