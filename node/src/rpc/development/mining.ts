import { blockTimeToMillis } from '../../comet/index.ts';
import { type Codec, optionalParam, param } from '../codec/codec.ts';
import { booleanCodec } from '../codec/plainCodecs.ts';
import { nullable } from '../schema/jsonSchema.ts';
import { BOOLEAN } from '../schema/valueSchemas.ts';
import { type DevelopmentUses, developmentMethods, developmentSetters } from './developmentMethod.ts';
import { numberCodec, smallNumberCodec } from './numberCodec.ts';

/** What evm_mine is told: the time of the block in seconds, or that and how many. */
interface MineOptions {
  readonly blocks: number;
  readonly timestamp: number | undefined;
}

const mineOptionsCodec: Codec<MineOptions> = {
  schema: {
    anyOf: [
      numberCodec.schema,
      { type: 'object', properties: { blocks: numberCodec.schema, timestamp: numberCodec.schema } },
    ],
  },
  decode: (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { blocks: 1, timestamp: smallNumberCodec.decode(value) };
    }
    const fields = value as { readonly blocks?: unknown; readonly timestamp?: unknown };
    return {
      blocks: fields.blocks === undefined ? 1 : smallNumberCodec.decode(fields.blocks),
      timestamp: fields.timestamp === undefined ? undefined : smallNumberCodec.decode(fields.timestamp),
    };
  },
};

/** Ends early when nobody waits for it any more. `secondsApart`: without it blocks get the time of their making. */
async function mineBlocks(
  { development: { controls } }: DevelopmentUses,
  { blocks, secondsApart }: { readonly blocks: number; readonly secondsApart?: number | undefined },
  signal: AbortSignal,
): Promise<void> {
  for (let made = 0; made < blocks && !signal.aborted; made++) {
    const { block } = await controls.mine();
    const isLast = made === blocks - 1;
    if (secondsApart && !isLast) {
      controls.setNextBlockTime(blockTimeToMillis(block.header.time) + secondsApart * 1000);
    }
  }
}

export const MINING = [
  ...developmentMethods(['evm_mine'], {
    summary: 'Makes a block at once, or several; a number is the time of the block in seconds',
    params: [optionalParam('options', mineOptionsCodec, undefined)],
    result: { const: '0x0' },
    handle: async (deps, [options], { signal }) => {
      const { blocks = 1, timestamp } = options ?? {};
      if (timestamp !== undefined) deps.development.controls.setNextBlockTime(timestamp * 1000);
      await mineBlocks(deps, { blocks }, signal);
      return '0x0';
    },
  }),
  ...(['anvil_mine', 'hardhat_mine'] as const).flatMap((name) =>
    developmentSetters([name], {
      summary: 'Makes blocks at once; the interval is the time from one to the next in seconds',
      params: [
        optionalParam('blocks', smallNumberCodec, 1),
        optionalParam('interval', smallNumberCodec, name === 'hardhat_mine' ? 1 : undefined),
      ],
      handle: (deps, [blocks, secondsApart], { signal }) =>
        mineBlocks(deps, { blocks, secondsApart }, signal),
    }),
  ),
  ...developmentSetters(['evm_setAutomine', 'anvil_setAutomine'], {
    summary:
      'With true each transaction gets a block at once; with false blocks are made only when asked for',
    params: [param('enabled', booleanCodec)],
    handle: ({ development: { controls } }, [enabled]) =>
      controls.setBlockTime(enabled ? 0 : Number.POSITIVE_INFINITY),
  }),
  ...developmentMethods(['anvil_getAutomine', 'hardhat_getAutomine'], {
    summary: 'Whether each transaction gets a block at once',
    params: [],
    result: BOOLEAN,
    handle: ({ development: { controls } }) => controls.blockTimeMs === 0,
  }),
  ...developmentMethods(['anvil_getIntervalMining'], {
    summary: 'Seconds from one block to the next; null when blocks are made on demand only',
    params: [],
    result: nullable({ type: 'number' }),
    handle: ({ development: { controls } }) =>
      Number.isFinite(controls.blockTimeMs) && controls.blockTimeMs > 0 ? controls.blockTimeMs / 1000 : null,
  }),
  ...developmentSetters(['evm_setIntervalMining'], {
    summary: 'Makes a block every so many milliseconds; none but on request with 0',
    params: [param('milliseconds', smallNumberCodec)],
    handle: ({ development: { controls } }, [milliseconds]) =>
      controls.setBlockTime(milliseconds || Number.POSITIVE_INFINITY),
  }),
  ...developmentSetters(['anvil_setIntervalMining'], {
    summary: 'Makes a block every so many seconds; none but on request with 0',
    params: [param('seconds', smallNumberCodec)],
    handle: ({ development: { controls } }, [seconds]) =>
      controls.setBlockTime(seconds * 1000 || Number.POSITIVE_INFINITY),
  }),
];
