import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAddress, readCode, readNonce, readStorage } from '../evm/index.ts';
import {
  FEE_COLLECTOR_EVM_ADDRESS,
  readAccount,
  readBalanceWei,
  readChainAddress,
  readSupplyWei,
} from '../ledger/index.ts';
import { bytesToHex, toBech32, toHexData } from '../primitives/index.ts';
import { EMPTY_STATE } from '../state/view/index.ts';
import {
  authorize,
  COUNTER,
  deployer,
  developmentGenesis,
  GWEI,
  reverter,
  signRaw,
  TestChain,
  TOKEN,
  testAccount,
} from './testChain.fixture.ts';

const [alice, bob, carol, stranger] = [testAccount(0), testAccount(1), testAccount(2), testAccount(7)];
const counter = createAddress(alice.evmAddress, 0n);
const slot = (byte: number): Uint8Array => new Uint8Array(32).fill(byte, 31);
let chain: TestChain;

beforeEach(async () => {
  chain = await TestChain.start();
});

const balance = (address: Uint8Array): bigint => readBalanceWei(chain.state, address);

/** What bank rows hold together, whoever owns them. */
function sumOfBalances(state: TestChain['state']): bigint {
  let wei = 0n;
  for (const [key, value] of state.rows('bank')) {
    const amount = BigInt(Buffer.from(value).toString());
    if (key[0] === 0x02) wei += amount * 10n ** 12n;
    if (key[0] === 0x04) wei += amount;
  }
  return wei;
}

describe('a block', () => {
  it('moves value, charges the effective price, and pays all of it to the fee collector', async () => {
    const { results, receipts } = await chain.block([signRaw(alice, { to: bob.evmAddress, value: 5n })]);
    expect(results[0]).toMatchObject({ code: 0, gasWanted: 200_000n, gasUsed: 21_000n });
    expect(receipts[0]).toMatchObject({
      status: 1,
      gasUsed: 21_000n,
      effectiveGasPrice: 2n * GWEI,
      vmError: '',
    });
    expect(balance(bob.evmAddress)).toBe(100n * TOKEN + 5n);
    expect(balance(alice.evmAddress)).toBe(100n * TOKEN - 5n - 42_000n * GWEI);
    expect(balance(FEE_COLLECTOR_EVM_ADDRESS)).toBe(42_000n * GWEI);
    expect(readNonce(chain.state, alice.evmAddress)).toBe(1n);
  });

  it('deploys a contract, calls it, and numbers receipts and logs through the block', async () => {
    const { receipts } = await chain.block([
      signRaw(alice, { data: deployer(COUNTER) }),
      signRaw(bob, { to: counter }),
      signRaw(carol, { to: counter }),
    ]);
    expect(receipts.map((receipt) => receipt.status)).toEqual([1, 1, 1]);
    expect(receipts[0]!.contractAddress).toEqual(counter);
    expect(receipts[0]!.to).toBeNull();
    expect(receipts.map((receipt) => receipt.transactionIndex)).toEqual([0, 1, 2]);
    expect(receipts.map((receipt) => receipt.firstLogIndex)).toEqual([0, 0, 1]);
    expect(receipts[2]!.cumulativeGasUsed).toBe(receipts.reduce((sum, receipt) => sum + receipt.gasUsed, 0n));
    expect(bytesToHex(readCode(chain.state, counter))).toBe(bytesToHex(COUNTER));
    expect(readStorage(chain.state, counter, slot(0))[31]).toBe(2);
  });

  it('keeps the fee of a transaction that reverts and undoes the rest', async () => {
    const target = createAddress(alice.evmAddress, 0n);
    await chain.block([signRaw(alice, { data: deployer(reverter(Uint8Array.of(1, 2, 3))) })]);
    const before = balance(bob.evmAddress);
    const { results, receipts } = await chain.block([signRaw(bob, { to: target, value: 9n })]);
    expect(results[0]).toMatchObject({ code: 45, codespace: 'evm' });
    expect(receipts[0]).toMatchObject({ status: 0, vmError: 'execution reverted', logs: [] });
    expect([...receipts[0]!.returnData]).toEqual([1, 2, 3]);
    expect(balance(bob.evmAddress)).toBe(before - receipts[0]!.gasUsed * receipts[0]!.effectiveGasPrice);
    expect(balance(target)).toBe(0n);
  });

  it('charges all gas of a transaction that runs into an invalid opcode', async () => {
    const { receipts } = await chain.block([
      signRaw(alice, { data: deployer(Uint8Array.of(0xfe)) }),
      signRaw(bob, { to: counter }),
    ]);
    expect(receipts[1]).toMatchObject({ status: 0, gasUsed: 200_000n });
    expect(receipts[1]!.vmError).toMatch(/^invalid opcode/);
  });

  it('lists a refused transaction that used up its nonce, at no price', async () => {
    const { results, receipts } = await chain.block([
      signRaw(alice, { to: bob.evmAddress, value: 1000n * TOKEN }),
      signRaw(alice, { to: bob.evmAddress, nonce: 1n, value: 1n }),
    ]);
    expect(results.map((result) => result.code)).toEqual([5, 0]);
    expect(receipts[0]).toMatchObject({ status: 0, gasUsed: 0n, effectiveGasPrice: 0n, ledgerIndex: 0 });
    expect(receipts[0]!.vmError).toMatch(/^insufficient funds/);
    expect(readNonce(chain.state, alice.evmAddress)).toBe(2n);
  });

  it('does not list transactions with a nonce that is not next, nor unreadable ones', async () => {
    const used = signRaw(alice, { to: bob.evmAddress });
    const { results, receipts } = await chain.block([
      used,
      used,
      signRaw(alice, { to: bob.evmAddress, nonce: 5n }),
      Uint8Array.of(1, 2, 3),
      signRaw(bob, { to: alice.evmAddress }),
    ]);
    expect(results.map((result) => result.code)).toEqual([0, 32, 32, 2, 0]);
    expect(receipts.map((receipt) => [receipt.ledgerIndex, receipt.transactionIndex])).toEqual([
      [0, 0],
      [4, 1],
    ]);
    expect(readNonce(chain.state, alice.evmAddress)).toBe(1n);
  });

  it('refuses what no longer fits, without using up its nonce', async () => {
    const { results } = await chain.block(
      [
        signRaw(alice, { to: bob.evmAddress, gasLimit: 30_000n }),
        signRaw(bob, { to: alice.evmAddress, gasLimit: 30_000n }),
      ],
      { gasLimit: 50_000n },
    );
    expect(results.map((result) => result.code)).toEqual([0, 11]);
    expect(readNonce(chain.state, bob.evmAddress)).toBe(0n);
  });

  it('associates a sender with its first transaction and joins both balances', async () => {
    await chain.block([
      signRaw(alice, { to: stranger.evmAddress, value: TOKEN }),
      signRaw(bob, { to: stranger.chainAddress, value: TOKEN }),
    ]);
    const { results } = await chain.block([signRaw(stranger, { to: alice.evmAddress })]);
    expect(results[0]!.events.map((event) => event.type)).toEqual(['evm_transaction', 'address_associated']);
    expect(readChainAddress(chain.state, stranger.evmAddress)).toEqual(stranger.chainAddress);
    expect(readAccount(chain.state, stranger.chainAddress)!.publicKey).toEqual(stranger.publicKey);
    expect(balance(stranger.evmAddress)).toBe(2n * TOKEN - 21_000n * 2n * GWEI);
  });

  it('refuses a sender whose chain account genesis gave to another EVM address', async () => {
    const genesis = developmentGenesis();
    const taken = {
      evm_address: `0x${'77'.repeat(20)}`,
      chain_address: toBech32(stranger.chainAddress),
    };
    const bank = { balances: [{ address: toHexData(stranger.evmAddress), wei: TOKEN.toString() }] };
    const own = await TestChain.start({ ...genesis, bank, auth: { associations: [taken] } });
    const { results } = await own.block([signRaw(stranger, { to: bob.evmAddress })]);
    expect(results[0]).toMatchObject({ code: 18 });
    expect(results[0]!.log).toMatch(/already has association set/);
  });

  it('sets the code of an account that authorized it, and runs it there', async () => {
    await chain.block([signRaw(alice, { data: deployer(COUNTER) })]);
    const { receipts } = await chain.block([
      signRaw(alice, {
        type: 4,
        nonce: 1n,
        to: bob.evmAddress,
        authorizationList: [authorize(bob, counter, 0n), authorize(carol, counter, 9n)],
      }),
    ]);
    expect(receipts[0]).toMatchObject({ status: 1, type: 4 });
    expect(bytesToHex(readCode(chain.state, bob.evmAddress))).toBe(`ef0100${bytesToHex(counter)}`);
    expect(readStorage(chain.state, bob.evmAddress, slot(0))[31]).toBe(1);
    expect(readNonce(chain.state, bob.evmAddress)).toBe(1n);
    expect(readCode(chain.state, carol.evmAddress)).toHaveLength(0);
    const later = await chain.block([signRaw(bob, { to: alice.evmAddress, nonce: 1n })]);
    expect(later.results[0]!.code).toBe(0);
  });

  it('charges access lists and gives the warm price for them', async () => {
    await chain.block([signRaw(alice, { data: deployer(COUNTER) })]);
    const plain = await chain.block([signRaw(bob, { to: counter })]);
    const listed = await chain.block([
      signRaw(carol, { type: 1, to: counter, accessList: [{ address: counter, storageKeys: [slot(0)] }] }),
    ]);
    // First call: cold slot set from zero. Second: list 2400 + 1900, warm slot changed from one.
    expect(plain.gasUsed - listed.gasUsed).toBe(20_000n + 2_100n - 2_900n - 100n - 2_400n - 1_900n);
  });

  it('raises the base fee after full blocks and lowers it after empty ones', async () => {
    const high = await chain.block([signRaw(alice, { to: bob.evmAddress })], { gasLimit: 300_000n });
    expect(high.nextBaseFee).toBe(GWEI);
    await chain.block(
      [1n, 2n, 3n].map((nonce) => signRaw(alice, { data: Uint8Array.of(0xfe), nonce, gasLimit: 100_000n })),
      { gasLimit: 300_000n },
    );
    expect(chain.context().baseFee).toBe((GWEI * 10_189n) / 10_000n);
    expect((await chain.block([])).nextBaseFee).toBe((GWEI * 10_189n * 9_961n) / 100_000_000n);
  });

  it('gives the same outcome twice, watched or not', async () => {
    const txs = [signRaw(alice, { data: deployer(COUNTER) }), signRaw(bob, { to: counter })];
    const input = { context: chain.context(), txs };
    const first = await chain.execution.replayTransactions(input, chain.state);
    let steps = 0;
    const tracer = { onStep: () => void steps++ };
    const second = await chain.execution.replayTransactions(
      { ...input, tracerFor: () => tracer },
      chain.state,
    );
    expect(second).toEqual(first);
    expect(steps).toBeGreaterThan(10);
  });

  it('charges all gas and goes on when the engine throws, but stops when the state cannot be read', async () => {
    const engine = { name: 'broken', version: '0', execute: () => Promise.reject(new TypeError('broken')) };
    const own = await TestChain.start(undefined, engine);
    const txs = [signRaw(alice, { data: COUNTER }), signRaw(bob, { to: alice.evmAddress })];
    const { receipts } = await own.block(txs);
    expect(receipts.map((receipt) => receipt.status)).toEqual([0, 1]);
    expect(receipts[0]).toMatchObject({ gasUsed: 200_000n, vmError: 'internal engine error' });
    const unreadable = {
      ...EMPTY_STATE,
      get: () => {
        throw new RangeError('bad sector');
      },
    };
    const input = { context: own.context(), txs };
    await expect(own.execution.runBlock(input, unreadable)).rejects.toThrow('bad sector');
    const execute = async () => unreadable.get();
    const reading = await TestChain.start(undefined, {
      ...engine,
      execute: async (_message, { state }) => {
        state.overlay.get('evm', Uint8Array.of(0xee));
        return execute();
      },
    });
    const sick = {
      ...EMPTY_STATE,
      get: (store: string, key: Uint8Array) =>
        key[0] === 0xee ? unreadable.get() : reading.state.get(store, key),
    };
    await expect(reading.execution.runBlock({ context: reading.context(), txs }, sick)).rejects.toThrow(
      'bad sector',
    );
  });

  it('lowers the supply by what a contract burns when it destroys itself to itself', async () => {
    // ADDRESS SELFDESTRUCT as init code.
    const { receipts } = await chain.block([signRaw(alice, { data: Uint8Array.of(0x30, 0xff), value: 7n })]);
    expect(receipts[0]!.status).toBe(1);
    expect(readSupplyWei(chain.state)).toBe(300n * TOKEN - 7n);
    expect(sumOfBalances(chain.state)).toBe(300n * TOKEN - 7n);
  });

  it('keeps the supply whatever transactions it holds', async () => {
    const accounts = [alice, bob, carol, stranger];
    const targets = [...accounts.map((account) => account.evmAddress), stranger.chainAddress, counter];
    const transaction = fc.record({
      from: fc.nat(3),
      to: fc.nat(targets.length),
      nonceError: fc.constantFrom(0n, 0n, 0n, 1n),
      value: fc.bigInt({ min: 0n, max: 60n * TOKEN }),
      maxFeePerGas: fc.bigInt({ min: GWEI / 2n, max: 20n * GWEI }),
      gasLimit: fc.bigInt({ min: 20_000n, max: 120_000n }),
      data: fc.constantFrom(new Uint8Array(0), deployer(COUNTER), Uint8Array.of(0x30, 0xff)),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(transaction, { maxLength: 6 }), { maxLength: 4 }),
        async (blocks) => {
          const own = await TestChain.start();
          for (const block of blocks) {
            const nonces = accounts.map((account) => readNonce(own.state, account.evmAddress));
            const raws = block.map(({ from, to, nonceError, ...fields }) => {
              const nonce = nonces[from]! + nonceError;
              if (nonceError === 0n) nonces[from]!++;
              return signRaw(accounts[from]!, {
                ...fields,
                to: targets[to] ?? null,
                nonce,
                maxPriorityFeePerGas: 0n,
              });
            });
            await own.block(raws);
            expect(readSupplyWei(own.state)).toBe(sumOfBalances(own.state));
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
