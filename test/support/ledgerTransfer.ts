import { parseGwei } from 'viem';
import { decodeTransaction, wrapEvmTransaction } from '../../node/src/evm/index.ts';
import { hexToBytes } from '../../node/src/primitives/index.ts';
import { developmentAccount } from './accounts.ts';
import { rpcCall } from './rpcCall.ts';

/** A transfer of development account `index` as a ledger transaction (`TxRaw`), with the account's next nonce. */
export async function wrappedTransfer(url: string, index = 9): Promise<Uint8Array> {
  const account = developmentAccount(index);
  const nonce = await rpcCall<string>(url, 'eth_getTransactionCount', [account.address, 'pending']);
  const signed = await account.signTransaction({
    type: 'eip1559',
    chainId: 713_714,
    nonce: Number(nonce),
    to: '0x00000000000000000000000000000000000000f7',
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: parseGwei('1000'),
    maxPriorityFeePerGas: parseGwei('1'),
  });
  return wrapEvmTransaction(decodeTransaction(hexToBytes(signed.slice(2))));
}
