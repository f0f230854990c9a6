/** A file that only this program writes into a database directory, so that another's is told apart. */
export const MARKER_FILE = 'CHAIN_DB';
export const MARKER_CONTENT = 'leveldb 1\n';
