const MAX_GAS = 10_000_000;

/** `for (i = 5,000; i ≠ 0; i--)` as creation code of an eth_call: some 290 kgas of loop. */
export const LOOP_CALL: string = loopCallWith(MAX_GAS);

/** The same with another gas limit each time: none is known on its block. */
export function distinctLoopCalls(): () => string {
  let made = 0;
  return () => loopCallWith(MAX_GAS - ++made);
}

function loopCallWith(gas: number): string {
  const request = { data: '0x6127105b600190038060035700', gas: `0x${gas.toString(16)}` };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [request, 'latest'] });
}
