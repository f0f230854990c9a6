import { Op } from '../../evm/index.ts';

/**
 * What a JavaScript tracer finds in its sandbox, in JavaScript. `host` is a bag of functions that take and give
 * strings, numbers and booleans; bytes cross as hex. `bigInt` is there already.
 */
export const BOOTSTRAP = `(host) => {
  'use strict';
  const toBytes = (hex) => {
    const bytes = new Uint8Array(hex.length / 2);
    for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(hex.substr(2 * i, 2), 16);
    return bytes;
  };
  const hexOf = (value, strings) => {
    if (typeof value === 'string' && strings) {
      const digits = value.replace(/^0x/i, '');
      return digits.length % 2 ? '0' + digits : digits;
    }
    if (!(value instanceof Uint8Array) && !Array.isArray(value)) throw new TypeError('invalid buffer type');
    let hex = '';
    for (const byte of value) hex += (byte & 255).toString(16).padStart(2, '0');
    return hex;
  };
  const sized = (hex, bytes) => hex.padStart(2 * bytes, '0').slice(-2 * bytes);
  const address = (value, strings) => sized(hexOf(value, strings), 20);
  const big = (digits) => bigInt(digits);
  Object.assign(globalThis, {
    toHex: (value) => '0x' + hexOf(value, false),
    toWord: (value) => toBytes(sized(hexOf(value, true), 32)),
    toAddress: (value) => toBytes(address(value, true)),
    toContract: (from, nonce) => toBytes(host.createAddress(address(from, true), Number(nonce))),
    toContract2: (from, salt, code) =>
      toBytes(host.create2Address(address(from, true), sized(hexOf(salt, true), 32), hexOf(code, true))),
    isPrecompiled: (value) => host.isPrecompiled(address(value, true)),
    slice: (value, start, end) => {
      const hex = hexOf(value, false);
      if (start < 0 || start > end || end > hex.length / 2) {
        throw new RangeError('Tracer accessed out of bound memory: available ' + hex.length / 2 +
          ', offset ' + start + ', size ' + (end - start));
      }
      return toBytes(hex.slice(2 * start, 2 * end));
    },
  });
  let now = {};
  const log = {
    op: { toNumber: () => now.opcode, toString: () => now.name, isPush: () => now.opcode >= ${Op.PUSH0} && now.opcode <= ${Op.PUSH32} },
    stack: { peek: (index) => big(host.stackPeek(Number(index))), length: () => host.stackLength() },
    memory: {
      slice: (begin, end) => toBytes(host.memorySlice(Number(begin), Number(end))),
      getUint: (offset) => big(host.memoryUint(Number(offset))),
      length: () => host.memoryLength(),
    },
    contract: {
      getCaller: () => toBytes(host.caller()),
      getAddress: () => toBytes(host.address()),
      getValue: () => big(host.value()),
      getInput: () => toBytes(host.input()),
    },
    getPC: () => now.pc, getGas: () => now.gas, getCost: () => now.cost, getDepth: () => now.depth,
    getRefund: () => now.refund, getError: () => now.error,
  };
  const db = {
    getBalance: (of) => big(host.balance(address(of, false))),
    getNonce: (of) => host.nonce(address(of, false)),
    getCode: (of) => toBytes(host.code(address(of, false))),
    getState: (of, slot) => toBytes(host.storage(address(of, false), sized(hexOf(slot, false), 32))),
    exists: (of) => host.exists(address(of, false)),
  };
  let entered = {};
  const frame = {
    getType: () => entered.type, getFrom: () => toBytes(entered.from), getTo: () => toBytes(entered.to),
    getInput: () => toBytes(entered.input), getGas: () => entered.gas,
    getValue: () => (entered.value === undefined ? undefined : big(entered.value)),
  };
  let left = {};
  const frameResult = {
    getGasUsed: () => left.gasUsed, getOutput: () => toBytes(left.output), getError: () => left.error,
  };
  let tracer;
  return {
    open: (code, config) => {
      tracer = (0, eval)('(' + code + ')');
      const has = (name) => typeof tracer[name] === 'function';
      if (!has('result')) throw new TypeError('trace object must expose a function result()');
      if (!has('fault')) throw new TypeError('trace object must expose a function fault()');
      if (has('enter') !== has('exit')) {
        throw new TypeError('trace object must expose either both or none of enter() and exit()');
      }
      if (has('setup')) tracer.setup(config);
      return (has('step') ? 1 : 0) + (has('enter') ? 2 : 0);
    },
    step: (pc, opcode, name, gas, cost, depth, refund, error) => {
      now = { pc, opcode, name, gas, cost, depth, refund, error };
      tracer.step(log, db);
    },
    fault: (error) => {
      now.error = error;
      tracer.fault(log, db);
    },
    enter: (json) => {
      entered = JSON.parse(json);
      tracer.enter(frame);
    },
    exit: (json) => {
      left = JSON.parse(json);
      tracer.exit(frameResult);
    },
    result: (json) => {
      const ctx = JSON.parse(json);
      for (const name of ['from', 'to', 'input', 'output', 'coinbase', 'blockHash', 'txHash']) {
        if (ctx[name] !== undefined) ctx[name] = toBytes(ctx[name]);
      }
      for (const name of ['value', 'gasPrice']) if (ctx[name] !== undefined) ctx[name] = big(ctx[name]);
      const text = JSON.stringify(tracer.result(ctx, db));
      return text === undefined ? 'null' : text;
    },
  };
}`;
