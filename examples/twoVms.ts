import { coins, DirectSecp256k1Wallet } from '@cosmjs/proto-signing';
import { assertIsDeliverTxSuccess, GasPrice, SigningStargateClient } from '@cosmjs/stargate';
import {
  type Address,
  createPublicClient,
  createWalletClient,
  formatEther,
  type Hex,
  http,
  publicActions,
} from 'viem';
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts';

/**
 * One account of both VMs: sends usei with CosmJS to the bech32 address of a new EVM account, spends it with viem,
 * and shows both in `chain2_getBlockByNumber`. `npm run twoVms [-- JSON-RPC CONSENSUS-RPC REST]`
 */
const [
  url = 'http://127.0.0.1:8545',
  consensusUrl = 'http://127.0.0.1:26657',
  restUrl = 'http://127.0.0.1:1317',
] = process.argv.slice(2);
const MNEMONIC = 'test test test test test test test test test test test junk';

const rpc = createPublicClient({ transport: http(url) });
const call = <T>(method: string, params: unknown[]): Promise<T> =>
  rpc.request({ method, params } as unknown as Parameters<typeof rpc.request>[0]) as Promise<T>;

// Alice signs as a Cosmos wallet does, with a key that Ethereum's wallets know too: development account 0.
const key = mnemonicToAccount(MNEMONIC).getHdKey().privateKey!;
const wallet = await DirectSecp256k1Wallet.fromKey(key, 'chain');
const [alice] = await wallet.getAccounts();
const ledger = await SigningStargateClient.connectWithSigner(consensusUrl, wallet, {
  gasPrice: GasPrice.fromString('0.02usei'),
  broadcastPollIntervalMs: 200,
});

// Bob is new. Until he signs for the first time, his bech32 address holds the same 20 bytes as his EVM address.
const bob = privateKeyToAccount(generatePrivateKey());
const bobInBech32 = await bech32Of(bob.address);
console.log(`bob is ${bob.address} and ${bobInBech32}`);
const sent = await ledger.sendTokens(
  alice!.address,
  bobInBech32,
  coins(2_500_000, 'usei'),
  'auto',
  'from CosmJS',
);
assertIsDeliverTxSuccess(sent);
ledger.disconnect();
console.log(`CosmJS: 2500000usei to bob in block ${sent.height}, ledger transaction ${sent.transactionHash}`);
console.log(`viem:   bob holds ${formatEther(await rpc.getBalance({ address: bob.address }))} tokens`);

const chain = {
  id: await rpc.getChainId(),
  name: 'chain',
  nativeCurrency: { name: 'token', symbol: 'TOKEN', decimals: 18 },
  rpcUrls: { default: { http: [url] } },
};
const client = createWalletClient({ account: bob, chain, transport: http(url), pollingInterval: 200 }).extend(
  publicActions,
);
const hash = await client.sendTransaction({
  to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  value: 10n ** 18n,
});
const receipt = await client.waitForTransactionReceipt({ hash });
console.log(`viem:   1 token spent in block ${receipt.blockNumber}, EVM transaction ${hash}`);
console.log(`bob has signed: he is ${await bech32Of(bob.address)} now, with all that he had\n`);

await show(sent.height, 'the bank send, by its ledger hash');
await show(Number(receipt.blockNumber), 'the EVM transfer, by its EVM hash');

async function bech32Of(address: Address): Promise<string> {
  const answer = await fetch(`${restUrl}/chain/evm/v1/chain_address/${address}`);
  return ((await answer.json()) as { chain_address: string }).chain_address;
}

interface Block {
  readonly number: Hex;
  readonly transactions: readonly {
    readonly hash: Hex;
    readonly from: Hex;
    readonly to: Hex;
    readonly value: Hex;
  }[];
}

async function show(height: number, what: string): Promise<void> {
  const block = await call<Block>('chain2_getBlockByNumber', [`0x${height.toString(16)}`, true]);
  console.log(`chain2_getBlockByNumber ${block.number}: ${what}`);
  for (const { hash: id, from, to, value } of block.transactions) {
    console.log(`  ${id}\n    ${from} → ${to}, ${formatEther(BigInt(value))} tokens`);
  }
}
