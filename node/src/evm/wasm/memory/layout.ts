/**
 * Where things lie in the engine's linear memory, in bytes. Read by AssemblyScript and by TypeScript alike. Pages
 * that nobody touches cost no memory. A word is 32 bytes: four 64-bit limbs, the lowest first.
 */

/** Words that hold for a whole execution. */
export const CONTEXT = 0x10000;
export const ORIGIN = CONTEXT + 0;
export const GAS_PRICE = CONTEXT + 32;
export const COINBASE = CONTEXT + 64;
export const TIMESTAMP = CONTEXT + 96;
export const NUMBER = CONTEXT + 128;
export const PREV_RANDAO = CONTEXT + 160;
export const GAS_LIMIT = CONTEXT + 192;
export const CHAIN_ID = CONTEXT + 224;
export const BASE_FEE = CONTEXT + 256;
export const BLOB_BASE_FEE = CONTEXT + 288;
/** u32: bytes of the newest call's output, which lies at RETURN_DATA. */
export const RETURN_LENGTH = CONTEXT + 320;
/** i64: the refund counter. */
export const REFUND = CONTEXT + 328;
/** u32: entries in the journal of slots. */
export const JOURNAL_LENGTH = CONTEXT + 336;
/** u32: records of slots. */
export const SLOT_COUNT = CONTEXT + 340;
/** u32: the journal's length when the running frame began. */
export const JOURNAL_MARK = CONTEXT + 344;
/** i64: what clearing a slot gives back. */
export const CLEAR_REFUND = CONTEXT + 352;
/** u32: bytes that init code may have, and gas for each word of it. */
export const MAX_INIT_CODE = CONTEXT + 360;
export const INIT_WORD_GAS = CONTEXT + 364;
/** u32: places in the index of slots, less one. */
export const INDEX_MASK = CONTEXT + 368;
/** u32: whether transient storage holds something from earlier messages of the transaction. */
export const HAS_TRANSIENT = CONTEXT + 372;
/** u32: as far as frames have ever had memory; 0 at first. */
export const ARENA_USED = CONTEXT + 376;
/** Five odd u64 of chance, the runtime's own: nobody can choose slots that the index finds at one place. */
export const HASH_FACTORS = CONTEXT + 384;
export const HASH_FACTORS_BYTES = 40;
/** Scratch words of one operation. */
export const SCRATCH = CONTEXT + 0x1000;

/** Operands of what compiled code asks of the runtime. */
export const OPERANDS = CONTEXT + 0x1800;
/** An address on its way into the table of slots. */
export const ADDRESS_WORD = CONTEXT + 0x1c00;

/** Rules of each opcode, 8 bytes: u16 least stack, u16 most stack, u32 constant gas (0xffffffff: no such opcode). */
export const RULES = CONTEXT + 0x8000;
export const NO_OPCODE = 0xffffffff;

/** One record a depth. */
export const FRAMES = 0x20000;
export const FRAME_BYTES = 256;
export const MAX_FRAMES = 1026;

/** Of a frame's record. u32 unless it says otherwise; pointers are absolute. */
export const CODE = 0;
export const CODE_LENGTH = 4;
/** A bit a byte of the code: whether a jump may go there. */
export const JUMP_DESTS = 8;
export const PROGRAM_COUNTER = 12;
/** i64 */
export const GAS = 16;
/** Behind the top word. */
export const STACK_TOP = 24;
export const STACK_BOTTOM = 28;
export const MEMORY = 32;
/** Bytes, whole words. */
export const MEMORY_SIZE = 36;
export const INPUT = 40;
export const INPUT_LENGTH = 44;
/** Number of the account whose storage is used. */
export const ACCOUNT = 48;
export const IS_STATIC = 52;
/** RETURN's and REVERT's range; the input of a call or creation that is asked for. */
export const OUTPUT = 56;
export const OUTPUT_LENGTH = 60;
/** Where a call's output is wanted: an offset in the frame's memory. */
export const WANTED = 64;
export const WANTED_LENGTH = 68;
/** i64: gas that a call asks for, at most 2^62. */
export const ASKED_GAS = 72;
/** i64: what a call had left when it began to pay for more than its constant price. */
export const CALL_GAS = 80;
export const SELF = 128;
export const CALLER = 160;
export const CALL_VALUE = 192;

/**
 * Slots and accounts that one message has met: records that stay where they are, an index by hash (open addressing,
 * u32 addresses of records, made anew at twice the size when half of it is used), a journal to take changes back.
 * What the first rooms do not hold goes on in chunks.
 */
export const SLOTS = 0x80000;
export const SLOT_BYTES = 128;
export const FIRST_SLOTS = 0x8000;
export const SLOT_JOURNAL = 0x480000;
export const JOURNAL_BYTES = 48;
export const FIRST_ENTRIES = 0x28000;
export const SLOT_INDEX = 0x1000000;
export const FIRST_PLACES = 0x10000;
export const MAX_SLOTS = 0x400000;

/** Of a slot's record. */
export const SLOT_OWNER = 0;
/** u32: SLOT_WARM | SLOT_FRESH */
export const SLOT_FLAGS = 4;
/** u32: the number of its newest entry in the journal, counted from 1. */
export const SLOT_JOURNALED = 8;
/** u32: where in the index it is. */
export const SLOT_PLACE = 12;
export const SLOT_KEY = 32;
export const SLOT_VALUE = 64;
export const SLOT_ORIGINAL = 96;
/** A slot as `gatherWarm` and `gatherTransient` list it: its owner, key and value, big-endian. */
export const LISTED_KEY = 4;
export const LISTED_VALUE = 36;
export const LISTED_WARM_BYTES = 36;
export const LISTED_TRANSIENT_BYTES = 68;
export const SLOT_WARM = 2;
/** When the record was filled, the slot held what it held at the start of the transaction. */
export const SLOT_FRESH = 4;
/** Set in an owner: the slot is of transient storage. */
export const TRANSIENT = 0x40000000;
/** An owner: the key is an account's address, SLOT_WARM its warmth, the first u32 of the value its number. */
export const ACCOUNTS = 0x3fffffff;

/** The newest hashes of 64 bytes, kept between messages: the bytes, and the hash as a word. */
export const HASHES = 0xc80000;
export const HASH_BYTES = 96;
export const HASH_PLACES = 0x200;

/** All frames' stacks, one behind the other. */
export const STACKS = 0x3000000;
export const STACKS_BYTES = 0x2020000;
/** The newest call's output. */
export const RETURN_DATA = 0x5100000;
export const RETURN_BYTES = 0x1000000;
/** Codes and their jump destinations, kept between executions. */
export const CODES = 0x6100000;
export const CODES_BYTES = 0x2000000;
/** Input of the first frame, then the frames' memories, one behind the other. */
export const ARENA = 0x8100000;
/** A gigagas does not buy so much: it is used up by calls, which keep a part of their gas. */
export const ARENA_END = 0x30000000;

/** Chunks of records, of entries of the journal, and of codes, one behind the other; memory grows by whole ones. */
export const CHUNKS = 0x30000000;
export const CHUNK_BYTES = 0x1000000;
export const MAX_CHUNKS = 80;
export const CHUNK_SLOTS = 0x10000;
/** Within a chunk. */
export const CHUNK_JOURNAL = 0x800000;
export const CHUNK_ENTRIES = 0x20000;
export const CHUNK_CODES = 0xe00000;
export const CHUNK_CODES_BYTES = 0x200000;

/** Gas between two questions to the host whether to go on. */
export const POLL_GAS = 250000;

/** How `run` comes back. */
export const DONE_STOP = 0;
export const DONE_RETURN = 1;
export const DONE_REVERT = 2;
export const DONE_DESTROY = 3;
export const WANTS_CALL = 4;
export const WANTS_CREATE = 5;
export const OUT_OF_GAS = 16;
export const STACK_UNDERFLOW = 17;
export const STACK_OVERFLOW = 18;
export const BAD_JUMP = 19;
export const BAD_OPCODE = 20;
export const WRITE_PROTECTED = 21;
export const RETURN_OUT_OF_BOUNDS = 22;
export const SENTRY = 23;
export const INIT_CODE_SIZE = 24;
/** Out of gas, and not for memory. */
export const OUT_OF_GAS_PLAIN = 26;
/** Out of gas for looking at a callee, which geth takes first of all. */
export const ACCESS_OUT_OF_GAS = 28;
/** Compiled code does not go on here: the interpreter does. */
export const INTERPRET = 27;
/** Offsets and lengths in memory from here on are one: no gas buys it. */
export const FAR_MEMORY = 0xffffffff;
/** Not an end: the opcode is done. */
export const GOES_ON = 255;
