/** `for (i = 5,000; i ≠ 0; i--)` as creation code of an eth_call: some 290 kgas of loop. */
export const LOOP_CALL: string = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'eth_call',
  params: [{ data: '0x6127105b600190038060035700', gas: '0x989680' }, 'latest'],
});
