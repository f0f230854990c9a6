/** What the engine asks of its host, synchronously. `word` is the address of a word, `at` of bytes. */

/** Each replaces the address at `word` by what it asks of that account. */
// @ts-expect-error: decorator
@external("host", "balance")
export declare function balance(word: u32): void;
// @ts-expect-error: decorator
@external("host", "codeSize")
export declare function codeSize(word: u32): void;
// @ts-expect-error: decorator
@external("host", "codeHash")
export declare function codeHash(word: u32): void;
/** Replaces a block number by its hash. */
// @ts-expect-error: decorator
@external("host", "blockHash")
export declare function blockHash(word: u32): void;

/** Copies code of the account, padded with zeros; `from` at most 2^32 − 1. */
// @ts-expect-error: decorator
@external("host", "copyCode")
export declare function copyCode(word: u32, at: u32, from: u32, length: u32): void;

/** `topics`: how many, the first of them on top of the stack at `top`, behind the two words of the range. */
// @ts-expect-error: decorator
@external("host", "log")
export declare function log(topics: u32, at: u32, length: u32, top: u32): void;

/** May throw, to end the execution. 1: the frame is better run elsewhere from here on. */
// @ts-expect-error: decorator
@external("host", "tick")
export declare function tick(): u32;

/** Throws: the memory cannot grow as far as it has to. */
// @ts-expect-error: decorator
@external("host", "noRoom")
export declare function noRoom(): void;
