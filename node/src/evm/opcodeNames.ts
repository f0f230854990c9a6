/** geth's mnemonics from an opcode on, also of those that no fork has brought yet: traces and errors name them. */
const NAMES_FROM: Readonly<Record<number, string>> = {
  0: 'STOP ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND',
  16: 'LT GT SLT SGT EQ ISZERO AND OR XOR NOT BYTE SHL SHR SAR CLZ',
  32: 'KECCAK256',
  48: 'ADDRESS BALANCE ORIGIN CALLER CALLVALUE CALLDATALOAD CALLDATASIZE CALLDATACOPY CODESIZE CODECOPY GASPRICE',
  59: 'EXTCODESIZE EXTCODECOPY RETURNDATASIZE RETURNDATACOPY EXTCODEHASH BLOCKHASH COINBASE TIMESTAMP NUMBER',
  68: 'DIFFICULTY GASLIMIT CHAINID SELFBALANCE BASEFEE BLOBHASH BLOBBASEFEE',
  80: 'POP MLOAD MSTORE MSTORE8 SLOAD SSTORE JUMP JUMPI PC MSIZE GAS JUMPDEST TLOAD TSTORE MCOPY PUSH0',
  208: 'DATALOAD DATALOADN DATASIZE DATACOPY',
  224: 'RJUMP RJUMPI RJUMPV CALLF RETF JUMPF DUPN SWAPN EXCHANGE',
  236: 'EOFCREATE',
  238: 'RETURNCONTRACT',
  240: 'CREATE CALL CALLCODE RETURN DELEGATECALL CREATE2',
  247: 'RETURNDATALOAD EXTCALL EXTDELEGATECALL STATICCALL EXTSTATICCALL',
  253: 'REVERT INVALID SELFDESTRUCT',
};
const NUMBERED = [
  { first: 0x60, count: 32, name: 'PUSH', from: 1 },
  { first: 0x80, count: 16, name: 'DUP', from: 1 },
  { first: 0x90, count: 16, name: 'SWAP', from: 1 },
  { first: 0xa0, count: 5, name: 'LOG', from: 0 },
];

const NAMES: readonly string[] = Array.from({ length: 256 }, (_, opcode) => {
  const numbered = NUMBERED.find(({ first, count }) => opcode >= first && opcode < first + count);
  if (numbered) return `${numbered.name}${opcode - numbered.first + numbered.from}`;
  for (const [first, names] of Object.entries(NAMES_FROM)) {
    const name = names.split(' ')[opcode - Number(first)];
    if (name) return name;
  }
  return `opcode 0x${opcode.toString(16)} not defined`;
});

/** geth's mnemonic; `opcode 0x… not defined` where there is none. */
export function opcodeName(opcode: number): string {
  return NAMES[opcode]!;
}
