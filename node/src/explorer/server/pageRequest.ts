import type { AbiBook } from '../abi/abiBook.ts';
import type { LedgerReader } from '../chain/ledgerReader.ts';
import type { RpcReader } from '../chain/rpcReader.ts';
import type { PageContent } from '../pages/layout.ts';

/** One request for a page, and where its facts come from. */
export interface PageRequest {
  /** A part of the path, as `block` of `/block/:block`; decoded. */
  readonly param: (name: string) => string;
  readonly query: URLSearchParams;
  readonly rpc: RpcReader;
  readonly ledger: LedgerReader;
  readonly abis: AbiBook;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Throws EXPLORER_NOT_SHOWN for what is not there. */
export type Page = (request: PageRequest) => Promise<PageContent>;
