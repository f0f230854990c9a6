import { POINTER_PRECOMPILE_ADDRESS, readPointer, registerPointer } from '../../ledger/index.ts';
import { hexToBytes } from '../../primitives/index.ts';
import { fixedPrecompile } from './fixedPrecompile.ts';
import { flatGas } from './inputGas.ts';
import { ledgerPrecompile } from './ledgerPrecompile.ts';
import { refundValue } from './payment.ts';
import { precompileMethod } from './precompileMethod.ts';

const VIEW_GAS = 2_000n;
const NO_ADDRESS = new Uint8Array(20);

export const POINTER_METHODS = [
  precompileMethod<[string]>(
    'addNativePointer(string token) payable returns (address ret)',
    ([denomination], call) => {
      refundValue(call);
      const pointer =
        readPointer(call.ledger.overlay, denomination) ?? registerPointer(call.ledger, denomination);
      return [pointer.address];
    },
  ),
];

/** No contract of CosmWasm is here to point at. */
const NO_POINTER = ['getCW20Pointer', 'getCW721Pointer', 'getCW1155Pointer'].map((name) =>
  precompileMethod<[string]>(
    `${name}(string cwAddr) view returns (address addr, uint16 version, bool exists)`,
    () => [NO_ADDRESS, 0n, false],
  ),
);

export const POINTER_VIEW_METHODS = [
  precompileMethod<[string]>(
    'getNativePointer(string token) view returns (address addr, uint16 version, bool exists)',
    ([denomination], { ledger }) => {
      const pointer = readPointer(ledger.overlay, denomination);
      return [pointer?.address ?? NO_ADDRESS, BigInt(pointer?.version ?? 0), pointer !== undefined];
    },
  ),
  ...NO_POINTER,
];

/** The precompile 0x…100b (docs/abi/pointer.json): makes the ERC-20 contract of a bank denomination. */
export const pointerPrecompile = ledgerPrecompile({
  address: POINTER_PRECOMPILE_ADDRESS,
  name: 'pointer',
  methods: POINTER_METHODS,
});

/** The precompile 0x…100a (docs/abi/pointerview.json): which contract is the pointer of a denomination. */
export const pointerViewPrecompile = fixedPrecompile({
  address: hexToBytes('000000000000000000000000000000000000100a'),
  name: 'pointerview',
  methods: POINTER_VIEW_METHODS,
  gas: (bodyBytes) => flatGas(VIEW_GAS, bodyBytes),
});
