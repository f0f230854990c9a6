import { param } from '../codec/codec.ts';
import { RPC_CODE } from '../rpcError.ts';
import { developmentMethods, developmentSetters } from './developmentMethod.ts';
import { smallNumberCodec } from './numberCodec.ts';

const NOT_LATER = {
  code: RPC_CODE.server,
  message: 'block time … ms is not later than the last block’s, … ms',
};

export const TIME = [
  ...developmentSetters(['evm_setNextBlockTimestamp', 'anvil_setNextBlockTimestamp'], {
    summary: 'Sets the time of the next block in seconds; later blocks go on from there',
    params: [param('timestamp', smallNumberCodec)],
    errors: [NOT_LATER],
    handle: ({ development: { controls } }, [seconds]) => controls.setNextBlockTime(seconds * 1000),
  }),
  ...developmentMethods(['evm_increaseTime', 'anvil_increaseTime'], {
    summary: 'Moves the clock of the chain forward by seconds; gives how far it is ahead of the machine’s',
    params: [param('seconds', smallNumberCodec)],
    result: { type: 'integer' },
    handle: ({ development: { controls } }, [seconds]) =>
      Math.round(controls.moveClock(seconds * 1000) / 1000),
  }),
  ...developmentSetters(['anvil_setBlockTimestampInterval'], {
    summary: 'Gives each block the time of the one before and so many seconds',
    params: [param('seconds', smallNumberCodec)],
    handle: ({ development: { controls } }, [seconds]) => controls.setTimeStep(seconds * 1000),
  }),
  ...developmentMethods(['anvil_removeBlockTimestampInterval'], {
    summary: 'Blocks get the time of the clock again, which goes on from the last block; always true',
    params: [],
    result: { const: true },
    handle: ({ development: { controls } }) => {
      controls.setTimeStep(undefined);
      return true;
    },
  }),
];
