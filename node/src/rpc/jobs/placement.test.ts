import { describe, expect, it } from 'vitest';
import { GasMeter } from './gasMeter.ts';
import { Placement, SLICE_GAS } from './placement.ts';

describe('the place of a call', () => {
  it('is the answering thread for what was never seen, until it burned more than a slice', () => {
    const placement = new Placement();
    expect(placement.isTried('a')).toBe(true);
    placement.ended('a', SLICE_GAS);
    expect(placement.isTried('a')).toBe(true);
    placement.wasted('a', SLICE_GAS + 1);
    expect(placement.isTried('a')).toBe(false);
    expect(placement.isTried('b')).toBe(true);
  });

  it('is the answering thread again once calls of its kind have burned less for a while', () => {
    const placement = new Placement();
    placement.wasted('a', 4 * SLICE_GAS);
    placement.ended('a', 0);
    expect(placement.isTried('a')).toBe(false);
    for (let i = 0; i < 16; i++) placement.ended('a', 0);
    expect(placement.isTried('a')).toBe(true);
  });

  it('is elsewhere for what was never seen while trials come to nothing, until as much gas was of use', () => {
    const placement = new Placement();
    let trials = 0;
    while (placement.isTried(`kind ${trials}`)) placement.wasted(`kind ${trials++}`, 100 * SLICE_GAS);
    expect(trials).toBe(4);
    placement.ended('known', 30_000);
    expect(placement.isTried('known')).toBe(true);
    expect(placement.isTried('never seen')).toBe(true);
  });

  it('hangs on gas alone: the same calls in the same order are placed alike', () => {
    const places = () => {
      const placement = new Placement();
      return Array.from({ length: 1000 }, (_, i) => {
        const [kind, gas] = [`kind ${(i * 7) % 13}`, ((i * 7919) % 31) * 100_000];
        const isTried = placement.isTried(kind);
        if (isTried && gas > SLICE_GAS) placement.wasted(kind, gas);
        else placement.ended(kind, gas);
        return isTried;
      });
    };
    const first = places();
    expect(places()).toEqual(first);
    expect(new Set(first).size).toBe(2);
  });
});

describe('the gas of a run', () => {
  it('is what frames tell, and a question counts until they do', () => {
    const seen: number[] = [];
    const meter = new GasMeter((gas) => void seen.push(gas));
    meter.interrupt();
    meter.interrupt();
    meter.onBurn(300_000);
    meter.interrupt();
    expect(seen).toEqual([250_000, 500_000, 550_000]);
    meter.onBurn(7);
    expect(meter.gas).toBe(300_007);
  });

  it('has the gas of precompiles ten times, before they begin', () => {
    const seen: number[] = [];
    const meter = new GasMeter((gas) => void seen.push(gas));
    meter.interrupt(SLICE_GAS / 10);
    meter.interrupt(1);
    expect(seen).toEqual([SLICE_GAS, SLICE_GAS + 10]);
  });
});
