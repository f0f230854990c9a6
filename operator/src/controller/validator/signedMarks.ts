import { parseJson } from '@chain/platform';
import { isBelow, type SignPlace } from '@chain/platform/contract';

/** What a key has signed on one chain, as its node has told; on which volume, and when that was noted. */
export interface SignedMark extends SignPlace {
  /** Uid of the claim. */
  readonly volume: string;
  /** Unix milliseconds. */
  readonly at: number;
}
/** By id of the chain. */
export type SignedMarks = Readonly<Record<string, SignedMark>>;

/** Chains that one key is remembered for; the one noted longest ago is forgotten. */
const CHAINS = 8;
/** A mark costs a write. */
const PACE_MS = 60_000;

/** `undefined` for a text that is none: nobody but the operator writes it. */
export function marksIn(text: string | undefined): SignedMarks | undefined {
  if (text === undefined) return {};
  try {
    const marks = parseJson(text) as Readonly<Record<string, unknown>> | null;
    return marks !== null && typeof marks === 'object' && Object.values(marks).every(isMark)
      ? (marks as SignedMarks)
      : undefined;
  } catch {
    return undefined;
  }
}

function isMark(value: unknown): value is SignedMark {
  const { height, round, step, volume, at } = (value ?? {}) as Partial<SignedMark>;
  return [height, round, step, at].every((it) => Number.isSafeInteger(it)) && typeof volume === 'string';
}

/** With a newer mark of one chain; `undefined` where that is not worth a write. A mark never goes back. */
export function withMark(marks: SignedMarks, chain: string, mark: SignedMark): SignedMarks | undefined {
  const old = marks[chain];
  const isNews = !old || (isBelow(old, mark) && (old.volume !== mark.volume || mark.at - old.at >= PACE_MS));
  if (!isNews) return undefined;
  const others = Object.entries(marks).filter(([id]) => id !== chain);
  const kept = others.sort(([, a], [, b]) => b.at - a.at).slice(0, CHAINS - 1);
  return { ...Object.fromEntries(kept), [chain]: mark };
}
