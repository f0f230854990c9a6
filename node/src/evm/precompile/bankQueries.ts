import type { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin';
import {
  BASE_DENOMINATION,
  BASE_METADATA,
  balanceRows,
  type DenominationMetadata,
  metadataRows,
  readMetadata,
  supplyRows,
} from '../../ledger/index.ts';
import type { PointReads } from '../../state/view/index.ts';
import type { AbiValue } from './abi/abiType.ts';
import { accountOf } from './accounts.ts';
import { refused } from './precompileError.ts';
import { precompileMethod } from './precompileMethod.ts';
import { rowPage } from './rowPage.ts';

const METADATA_TUPLE =
  '(string description, (string denom, uint32 exponent, string[] aliases)[] denomUnits, string base, string display, string name, string symbol)';
const COINS = '(uint256 amount, string denom)[]';

/** The bank precompile's lists and descriptions; pages have the SDK's default length. */
export const BANK_QUERIES = [
  precompileMethod<[string]>(
    `denomMetadata(string denom) view returns (${METADATA_TUPLE} metadata)`,
    ([denom], { ledger }) => [metadataValue(metadataOf(ledger.overlay, denom))],
  ),
  precompileMethod<[Uint8Array]>(
    `denomsMetadata(bytes pageKey) view returns (${METADATA_TUPLE}[] metadatas, bytes nextKey)`,
    ([pageKey], { ledger: { overlay } }) => {
      const { items, nextKey } = rowPage(overlay, metadataRows(), { nextKey: pageKey });
      // Genesis need not describe the base denomination; it then comes first.
      const isDescribed = readMetadata(overlay, BASE_DENOMINATION) !== BASE_METADATA;
      const all = isDescribed || pageKey.length > 0 ? items : [BASE_METADATA, ...items];
      return [all.map(metadataValue), nextKey];
    },
  ),
  // No denomination has a switch of its own, and nothing stops sending.
  precompileMethod<[]>(
    'params() view returns (((string denom, bool enabled)[] sendEnabled, bool defaultSendEnabled) params)',
    () => [[[], true]],
  ),
  // Nothing locks coins here, so all are spendable.
  precompileMethod<[Uint8Array, Uint8Array]>(
    `spendableBalances(address acc, bytes pageKey) view returns (${COINS} balances, bytes nextKey)`,
    ([address, pageKey], { ledger: { overlay } }) => {
      const page = rowPage(overlay, balanceRows(accountOf(overlay, address)), { nextKey: pageKey });
      return [page.items.map(coinValue), page.nextKey];
    },
  ),
  precompileMethod<[Uint8Array]>(
    `totalSupply(bytes pageKey) view returns (${COINS} supply, bytes nextKey)`,
    ([pageKey], { ledger }) => {
      const page = rowPage(ledger.overlay, supplyRows(), { nextKey: pageKey });
      return [page.items.map(coinValue), page.nextKey];
    },
  ),
];

export function metadataOf(state: PointReads, denom: string): DenominationMetadata {
  const metadata = readMetadata(state, denom);
  if (!metadata) throw refused(`denom ${denom} not found`);
  return metadata;
}

const coinValue = ({ amount, denom }: Coin): AbiValue => [BigInt(amount), denom];

function metadataValue(metadata: DenominationMetadata): AbiValue {
  const { description, denomUnits, base, display, name, symbol } = metadata;
  const units = denomUnits.map(({ denom, exponent, aliases }) => [denom, BigInt(exponent), aliases]);
  return [description, units, base, display, name, symbol];
}
