/**
 * The explorer: pages for people about blocks, transactions, accounts, contracts, the mempool and the ledger.
 * Owns: pages, their style and scripts, live updates, decoding by ABI. Does not own: any fact of the chain; it asks
 * JSON-RPC's own methods and the ledger's queries, as a client of this node would.
 * Invariants: a page changes nothing; every text that is not a template's is escaped; nothing is loaded from another
 * host; a request for a page has a deadline, and what it asks for is bounded in number and bytes.
 */
export type { AskLedger } from './chain/ledgerReader.ts';
export { type Explorer, type ExplorerDeps, type ExplorerOptions, openExplorer } from './openExplorer.ts';
