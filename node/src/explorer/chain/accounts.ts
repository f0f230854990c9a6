import { fromBech32, hexToBytes, toBech32, toChecksumAddress } from '../../primitives/index.ts';
import type { LedgerReader } from './ledgerReader.ts';
import { pageFailure } from './pageFailure.ts';

/** An account under both of its addresses. */
export interface Account {
  /** 0x, with its checksum. */
  readonly evmAddress: string;
  /** bech32. */
  readonly chainAddress: string;
  /** Without an association each address stands for the same bytes of the other kind. */
  readonly isAssociated: boolean;
}

const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i;

/** Either form. Throws EXPLORER_NOT_SHOWN for what is neither. */
export async function accountOf(
  text: string,
  { ledger }: { readonly ledger: LedgerReader },
): Promise<Account> {
  if (EVM_ADDRESS.test(text)) {
    const bytes = hexToBytes(text.slice(2));
    const found = await ledger.find<{ chain_address: string; associated: boolean }>(
      '/chain.evm.v1.Query/ChainAddressByEVMAddress',
      { evm_address: text },
    );
    return {
      evmAddress: toChecksumAddress(bytes),
      chainAddress: found?.chain_address ?? toBech32(bytes),
      isAssociated: found?.associated ?? false,
    };
  }
  const bytes = bytesOfBech32(text);
  if (!bytes) throw pageFailure(404, `${text.slice(0, 100)} is no address of this chain.`);
  const found = await ledger.find<{ evm_address: string; associated: boolean }>(
    '/chain.evm.v1.Query/EVMAddressByChainAddress',
    { chain_address: text },
  );
  return {
    evmAddress: found?.evm_address ?? toChecksumAddress(bytes),
    chainAddress: text,
    isAssociated: found?.associated ?? false,
  };
}

function bytesOfBech32(text: string): Uint8Array | undefined {
  try {
    const bytes = fromBech32(text);
    return bytes.length === 20 ? bytes : undefined;
  } catch {
    return undefined;
  }
}
