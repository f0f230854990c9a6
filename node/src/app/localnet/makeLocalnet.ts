import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError, parseJson, pathExists, writeFileDurably } from '@chain/platform';
import { CONFIG_FILES } from '@chain/platform/contract';
import { initialiseHome } from '../../config/index.ts';
import { DEVELOPMENT_MNEMONIC, deriveAccounts, readValidatorKey } from '../../keys/index.ts';
import { localnetGenesis } from './localnetGenesis.ts';
import { type LocalnetNode, type LocalnetWish, type PlannedNode, planNodes } from './localnetPlan.ts';

export interface LocalnetOptions extends LocalnetWish {
  readonly chainId: string;
  readonly evmChainId: bigint;
  /** EVM state in a store of its own, on the RPC nodes. */
  readonly split: boolean;
  /** Milliseconds that validators wait after a block. */
  readonly blockTimeMs: number;
  /** Blocks between snapshots for state sync; 0 makes none. */
  readonly snapshotInterval: number;
  /** The `cometbft` program; empty for the one on PATH. */
  readonly cometbft: string;
  /** Deletes the network first. */
  readonly fresh: boolean;
}

/** What was made, kept beside the homes: a second start goes on with them. */
export interface Localnet {
  readonly chainId: string;
  readonly nodes: readonly LocalnetNode[];
}

const FILE = 'localnet.json';
/** Accounts with known keys that every node funds, as `chaind dev` has them; operators come behind. */
const ACCOUNTS = 10;

/** Makes the homes of a network, or finds those that are there. Throws APP_NOT_A_LOCALNET. */
export async function makeLocalnet(
  options: LocalnetOptions,
): Promise<Localnet & { readonly isNew: boolean }> {
  const { directory, chainId, fresh } = options;
  const file = join(directory, FILE);
  const isThere = await pathExists(file);
  if (!isThere && (await pathExists(directory))) throw notALocalnet(directory);
  if (isThere && !fresh) return { ...(parseJson(await readFile(file, 'utf8')) as Localnet), isNew: false };
  await rm(directory, { recursive: true, force: true });
  const nodes: LocalnetNode[] = [];
  for (const node of planNodes(options)) {
    nodes.push({ ...node, id: (await makeHome(node, options, '')).nodeId });
  }
  const peers = nodes.map(({ id, ports }) => `${id}@127.0.0.1:${ports.p2p}`);
  const genesis = await genesisOf(nodes, options);
  for (const [i, node] of nodes.entries()) {
    const others = peers.filter((_, at) => at !== i).join(',');
    await makeHome(node, options, others);
    await writeFileDurably(join(node.home, CONFIG_FILES.genesis), genesis, 0o644);
  }
  const made = { chainId, nodes };
  await writeFileDurably(file, `${JSON.stringify(made, null, 2)}\n`, 0o644);
  return { ...made, isNew: true };
}

/** Twice: keys come first, for each home names the others' ids. */
function makeHome({ home, name, role, ports }: PlannedNode, options: LocalnetOptions, peers: string) {
  const { chainId, evmChainId, snapshotInterval, cometbft, blockTimeMs } = options;
  return initialiseHome({
    home,
    moniker: name,
    chainId,
    evmChainId,
    mode: role,
    engine: 'cometbft',
    overwrite: true,
    settings: {
      'node.cometbft': cometbft,
      'state-store.evm-ss-split': role === 'rpc' && options.split,
      'state-sync.snapshot-interval': snapshotInterval,
      'evm.http_port': ports.http,
      'evm.ws_port': ports.webSocket,
      'grpc.address': `127.0.0.1:${ports.grpc}`,
      'api.address': `tcp://127.0.0.1:${ports.rest}`,
      'admin.port': ports.admin,
    },
    cometSettings: {
      'rpc.laddr': `tcp://127.0.0.1:${ports.consensusRpc}`,
      'p2p.laddr': `tcp://127.0.0.1:${ports.p2p}`,
      'p2p.persistent_peers': peers,
      'p2p.addr_book_strict': false,
      'p2p.allow_duplicate_ip': true,
      'consensus.timeout_commit': blockTimeMs,
    },
  });
}

async function genesisOf(nodes: readonly PlannedNode[], options: LocalnetOptions): Promise<string> {
  const { chainId, evmChainId } = options;
  const validators = nodes.filter(({ role }) => role === 'validator');
  const derived = deriveAccounts({ mnemonic: DEVELOPMENT_MNEMONIC, count: ACCOUNTS + validators.length });
  return localnetGenesis({
    chainId,
    evmChainId,
    accounts: derived.slice(0, ACCOUNTS),
    validators: await Promise.all(
      validators.map(async ({ name, home }, i) => ({
        moniker: name,
        operator: derived[ACCOUNTS + i]!,
        consensusKey: (await readValidatorKey(join(home, CONFIG_FILES.validatorKey))).publicKey,
      })),
    ),
  });
}

/** Deletes only what says that it is a network of this command's. */
function notALocalnet(directory: string): CodedError {
  return new CodedError(
    'APP_NOT_A_LOCALNET',
    `${directory} is there and is no local network (it has no ${FILE}); choose another --directory`,
    { fields: { directory } },
  );
}
