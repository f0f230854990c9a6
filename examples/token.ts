import { readFileSync } from 'node:fs';
import solc from 'solc';
import {
  type Abi,
  createPublicClient,
  createWalletClient,
  formatEther,
  getContract,
  type Hex,
  http,
  parseEther,
  publicActions,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';

/**
 * Compiles an ERC-20 from OpenZeppelin's contracts, deploys it to a node, transfers, and reads it back.
 * `npm run example [-- URL]`; the node is http://127.0.0.1:8545 unless named.
 */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Token is ERC20 {
  constructor() ERC20("Example", "EXM") { _mint(msg.sender, 1000 ether); }
}`;

function compile(): { abi: Abi; bytecode: Hex } {
  const input = {
    language: 'Solidity',
    sources: { 'Token.sol': { content: SOURCE } },
    settings: { evmVersion: 'prague', outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
  };
  const readImport = (path: string) => ({ contents: readFileSync(`node_modules/${path}`, 'utf8') });
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport }));
  const { abi, evm } = output.contracts['Token.sol'].Token;
  return { abi, bytecode: `0x${evm.bytecode.object}` };
}

const url = process.argv[2] ?? 'http://127.0.0.1:8545';
const account = mnemonicToAccount('test test test test test test test test test test test junk');
const friend = mnemonicToAccount('test test test test test test test test test test test junk', {
  addressIndex: 1,
});
const id = await createPublicClient({ transport: http(url) }).getChainId();
const chain = {
  id,
  name: 'chain',
  nativeCurrency: { name: 'token', symbol: 'TOKEN', decimals: 18 },
  rpcUrls: { default: { http: [url] } },
};
const client = createWalletClient({ account, chain, transport: http(url), pollingInterval: 100 }).extend(
  publicActions,
);

const { abi, bytecode } = compile();
const deployed = await client.waitForTransactionReceipt({
  hash: await client.deployContract({ abi, bytecode }),
});
const address = deployed.contractAddress;
if (!address) {
  console.error(`the deployment failed: ${deployed.status}`);
  process.exit(1);
}
console.log(`token ${address} in block ${deployed.blockNumber}`);
const token = getContract({ address, abi, client });
const transfer = token.write.transfer as (args: unknown[]) => Promise<Hex>;
await client.waitForTransactionReceipt({ hash: await transfer([friend.address, parseEther('12.5')]) });
const balanceOf = token.read.balanceOf as (args: unknown[]) => Promise<bigint>;
console.log(`${friend.address} holds ${formatEther(await balanceOf([friend.address]))} EXM`);
