import { type OfflineAminoSigner, Secp256k1Wallet } from '@cosmjs/amino';
import { DirectSecp256k1Wallet, type OfflineDirectSigner } from '@cosmjs/proto-signing';
import { GasPrice, SigningStargateClient } from '@cosmjs/stargate';
import { developmentAccount } from './accounts.ts';

/** CosmJS's signing client of development account `index`, with its bech32 address. */
export async function stargateClient(
  consensusUrl: string,
  index: number,
  mode: 'direct' | 'amino' = 'direct',
): Promise<{ client: SigningStargateClient; address: string }> {
  const key = developmentAccount(index).getHdKey().privateKey!;
  const signer: OfflineAminoSigner | OfflineDirectSigner =
    mode === 'amino'
      ? await Secp256k1Wallet.fromKey(key, 'chain')
      : await DirectSecp256k1Wallet.fromKey(key, 'chain');
  const client = await SigningStargateClient.connectWithSigner(consensusUrl, signer, {
    gasPrice: GasPrice.fromString('0.02usei'),
    broadcastPollIntervalMs: 50,
  });
  return { client, address: (await signer.getAccounts())[0]!.address };
}
