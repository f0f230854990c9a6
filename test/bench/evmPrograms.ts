import { encodeAbiParameters, encodeFunctionData, type Hex, keccak256, toHex } from 'viem';
import { compileContracts } from '../support/contracts.ts';
import { rpcCall } from '../support/rpcCall.ts';

/** A call that costs some ten Mgas everywhere: state overrides put the code where the call finds it. */
export interface Program {
  readonly name: string;
  readonly request: { readonly to: Hex; readonly gas: Hex };
  readonly overrides: Readonly<Record<Hex, { readonly code: Hex; readonly stateDiff?: Record<Hex, Hex> }>>;
}

const DRIVER: Hex = '0x00000000000000000000000000000000000d21be';
const TOKEN: Hex = '0x0000000000000000000000000000000000070ce4';
const GAS = toHex(9_900_000);

/** `setup; for (i = count; i ≠ 0; i--) body`, with i on top of the stack before and after `body`. */
function loop(count: number, body: string, setup = ''): Hex {
  const start = toHex(setup.length / 2 + 4, { size: 1 }).slice(2);
  return `0x${setup}62${toHex(count, { size: 3 }).slice(2)}5b${body}600190038060${start}5700`;
}

const driven = (name: string, code: Hex): Program => ({
  name,
  request: { to: DRIVER, gas: GAS },
  overrides: { [DRIVER]: { code } },
});

/** `url`: any node, to run the token's constructor for its code. */
export async function evmPrograms(url: string): Promise<Program[]> {
  return [
    // (i · i + 7) mod 0xfffffffb, dropped
    driven('arithmetic loop', loop(150_000, '80800260070163fffffffb900650')),
    // mem[i mod 1024 words] = i, then read back
    driven('memory loop', loop(150_000, '806103ff1660051b8181525150')),
    // mem[0] = keccak256(mem[0 … 64])
    driven('keccak loop', loop(110_000, '6040600020600052')),
    // slot[i mod 16] += 1
    driven('SLOAD and SSTORE, warm', loop(34_000, '80600f1680546001019055')),
    await tokenTransfers(url),
  ];
}

/** One ERC-20 transfer after another, from the driver to an account that holds none at first. */
async function tokenTransfers(url: string): Promise<Program> {
  const { Token } = compileContracts();
  const args = encodeAbiParameters([{ type: 'string' }, { type: 'string' }], ['Gold', 'GLD']);
  const data: Hex = `${Token.bytecode}${args.slice(2)}`;
  const code = await rpcCall<Hex>(url, 'eth_call', [{ data }, 'latest']);
  const friend = toHex(0xf1e4d, { size: 20 });
  const input = encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [friend, 1n] });
  const balanceSlot = keccak256(
    encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [DRIVER, 0n]),
  );
  return {
    name: 'ERC-20 transfer (solc, OpenZeppelin)',
    request: { to: DRIVER, gas: GAS },
    overrides: {
      [DRIVER]: { code: loop(1_900, callBody(TOKEN), storeInput(input)) },
      [TOKEN]: { code, stateDiff: { [balanceSlot]: toHex(10n ** 18n, { size: 32 }) } },
    },
  };
}

/** Writes the call's input to memory from 0. */
function storeInput(input: Hex): string {
  const words = input.slice(2).match(/.{1,64}/g) ?? [];
  return words
    .map((word, i) => `7f${word.padEnd(64, '0')}60${toHex(32 * i, { size: 1 }).slice(2)}52`)
    .join('');
}

/** Calls `target` with the 68 bytes at 0; what it answers is dropped. */
function callBody(target: Hex): string {
  return `6020608060446000600073${target.slice(2)}5af150`;
}
