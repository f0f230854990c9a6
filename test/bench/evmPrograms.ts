import {
  type Abi,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  keccak256,
  toHex,
} from 'viem';
import { type Contract, compileContracts } from '../support/contracts.ts';
import { rpcCall } from '../support/rpcCall.ts';

type Overrides = Readonly<Record<Hex, { readonly code: Hex; readonly stateDiff?: Record<Hex, Hex> }>>;

/** A call that costs some ten Mgas everywhere: state overrides put the code where the call finds it. */
export interface Program {
  readonly name: string;
  readonly request: { readonly to: Hex; readonly gas: Hex; readonly data?: Hex };
  readonly overrides: Overrides;
}

const DRIVER: Hex = '0x00000000000000000000000000000000000d21be';
const TOKEN: Hex = '0x0000000000000000000000000000000000070ce4';
const OTHER_TOKEN: Hex = '0x0000000000000000000000000000000000070ce5';
const PAIR: Hex = '0x000000000000000000000000000000000000fa12';
const GAS = toHex(9_900_000);
const PLENTY = 10n ** 24n;

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

/** `url`: any node, to run constructors for their code. */
export async function evmPrograms(url: string): Promise<Program[]> {
  const contracts = compileContracts();
  const token = await deployed(url, contracts.Token, ['Gold', 'GLD']);
  const algorithms = await deployed(url, contracts.Algorithms);
  const algorithm = (name: string, functionName: string, count: bigint): Program =>
    called(
      name,
      { abi: contracts.Algorithms.abi, functionName, args: [count] },
      { [DRIVER]: { code: algorithms } },
    );
  return [
    // (i · i + 7) mod 0xfffffffb, dropped
    driven('arithmetic loop', loop(150_000, '80800260070163fffffffb900650')),
    // mem[i mod 1024 words] = i, then read back
    driven('memory loop', loop(150_000, '806103ff1660051b8181525150')),
    // mem[0] = keccak256(mem[0 … 64])
    driven('keccak loop', loop(110_000, '6040600020600052')),
    algorithm('Fibonacci (solc)', 'fibonacci', 200n),
    algorithm('SHA-like mixing (solc)', 'mix', 11_000n),
    algorithm('sort of 1,000 words (solc)', 'sort', 2n),
    // slot[i mod 16] += 1
    driven('SLOAD and SSTORE, warm', loop(34_000, '80600f1680546001019055')),
    tokenTransfers(token, contracts.Token.abi),
    await swaps(url, token),
  ];
}

function called(
  name: string,
  call: { readonly abi: Abi; readonly functionName: string; readonly args: readonly unknown[] },
  overrides: Overrides,
): Program {
  return { name, request: { to: DRIVER, gas: GAS, data: encodeFunctionData(call) }, overrides };
}

/** What a contract's constructor returns. */
function deployed(url: string, { abi, bytecode }: Contract, args: readonly unknown[] = []): Promise<Hex> {
  return rpcCall<Hex>(url, 'eth_call', [{ data: encodeDeployData({ abi, bytecode, args }) }, 'latest']);
}

/** Where OpenZeppelin's ERC-20 keeps what an account holds. */
function balanceOf(owner: Hex): Hex {
  return keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [owner, 0n]));
}

const word = (value: bigint): Hex => toHex(value, { size: 32 });

/** One ERC-20 transfer after another, from the driver to an account that holds none at first. */
function tokenTransfers(code: Hex, abi: Abi): Program {
  const friend = toHex(0xf1e4d, { size: 20 });
  const input = encodeFunctionData({ abi, functionName: 'transfer', args: [friend, 1n] });
  return {
    name: 'ERC-20 transfer (solc, OpenZeppelin)',
    request: { to: DRIVER, gas: GAS },
    overrides: {
      [DRIVER]: { code: loop(1_900, callBody(TOKEN), storeInput(input)) },
      [TOKEN]: { code, stateDiff: { [balanceOf(DRIVER)]: word(PLENTY) } },
    },
  };
}

/** Swaps back and forth in a pool, paid in and out in two tokens. */
async function swaps(url: string, token: Hex): Promise<Program> {
  const { Pair, Swapper } = compileContracts();
  const stateDiff = { [balanceOf(DRIVER)]: word(PLENTY), [balanceOf(PAIR)]: word(PLENTY) };
  const reserves = PLENTY | (PLENTY << 112n);
  // The pool's slots in their order: tokens, reserves, price sums, lock.
  const slots = [BigInt(TOKEN), BigInt(OTHER_TOKEN), reserves, 0n, 0n, 1n];
  const pool = Object.fromEntries(slots.map((value, at) => [word(BigInt(at)), word(value)]));
  const call = { abi: Swapper.abi, functionName: 'run', args: [PAIR, 180n] };
  return called('Uniswap-v2-like swaps (solc)', call, {
    [DRIVER]: { code: await deployed(url, Swapper) },
    [PAIR]: { code: await deployed(url, Pair), stateDiff: pool },
    [TOKEN]: { code: token, stateDiff },
    [OTHER_TOKEN]: { code: token, stateDiff },
  });
}

/** Writes the call's input to memory from 0. */
function storeInput(input: Hex): string {
  const words = input.slice(2).match(/.{1,64}/g) ?? [];
  return words
    .map((text, i) => `7f${text.padEnd(64, '0')}60${toHex(32 * i, { size: 1 }).slice(2)}52`)
    .join('');
}

/** Calls `target` with the 68 bytes at 0; what it answers is dropped. */
function callBody(target: Hex): string {
  return `6020608060446000600073${target.slice(2)}5af150`;
}
