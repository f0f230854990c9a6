import type { EvmBlock } from '../../evmBlock.ts';
import type { EvmMessage } from '../../evmEngine.ts';
import type { LinearMemory } from '../memory/index.ts';
import {
  BASE_FEE,
  BLOB_BASE_FEE,
  CHAIN_ID,
  COINBASE,
  GAS_LIMIT,
  GAS_PRICE,
  NUMBER,
  ORIGIN,
  PREV_RANDAO,
  TIMESTAMP,
} from '../memory/layout.ts';

/** Writes what ORIGIN, GASPRICE and the block's opcodes show. */
export function writeContext(memory: LinearMemory, message: EvmMessage, block: EvmBlock): void {
  memory.setWordBytes(ORIGIN, message.origin ?? message.caller);
  memory.setWordBytes(COINBASE, block.coinbase);
  memory.setWordBytes(PREV_RANDAO, block.prevRandao);
  memory.setWord(GAS_PRICE, message.gasPrice);
  memory.setWord(TIMESTAMP, block.timestamp);
  memory.setWord(NUMBER, block.number);
  memory.setWord(GAS_LIMIT, block.gasLimit);
  memory.setWord(CHAIN_ID, block.chainId);
  memory.setWord(BASE_FEE, block.baseFee);
  memory.setWord(BLOB_BASE_FEE, block.blobBaseFee);
}
