import { expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../primitives/index.ts';
import { createEthereumjsEngine } from '../ethereumjs/ethereumjsEngine.ts';
import type { EvmEngine } from '../evmEngine.ts';
import { CONTRACT, testHost, testMessage } from '../evmTestHost.ts';
import { createWasmEngine } from './wasmEngine.ts';

const chainId = 713_714n;

it('keeps what identity answered, though its caller changes the memory that it was asked with', async () => {
  const code =
    `7f${'11'.repeat(32)}5f52` + // memory: 32 bytes
    '6020601060205f60045afa50' + // identity of them, half over themselves
    `7f${'22'.repeat(32)}5f52` + // others there
    '60205f60403e' +
    '60605ff3'; // what it answered behind them, all of it
  const toldBy = async (engine: EvmEngine) => {
    const outputs: Uint8Array[] = [];
    const host = testHost({ onExit: ({ output }) => void outputs.push(output) });
    host.state.setCode(CONTRACT, hexToBytes(code));
    host.state.beginTransaction();
    const { returnData } = await engine.execute(testMessage({ gasLimit: 1_000_000n }), host);
    return { returnData: bytesToHex(returnData), outputs: outputs.map(bytesToHex) };
  };
  const found = await toldBy(createWasmEngine({ chainId, hotGas: Number.POSITIVE_INFINITY }));
  expect(found.outputs[0]).toBe('11'.repeat(32));
  expect(found.returnData).toBe(`${'22'.repeat(32)}${'11'.repeat(16)}${'00'.repeat(16)}${'11'.repeat(32)}`);
  expect(await toldBy(createWasmEngine({ chainId, hotGas: 0 }))).toEqual(found);
  expect(await toldBy(createEthereumjsEngine({ chainId }))).toEqual(found);
});
