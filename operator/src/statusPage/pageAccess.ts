import { createHash } from 'node:crypto';
import type { Clock } from '@chain/platform';
import { type HttpReply, type HttpRequest, type HttpRoute, refusal } from '@chain/platform/servers';

/** What the API server says of who brings a token; `allowed`: may see what the page shows. */
export type Review = (token: string) => Promise<'unknown' | 'refused' | 'allowed'>;

interface Asked {
  readonly answer: ReturnType<Review>;
  until: number;
}

/** A right that is taken away holds for so long at most; one that is given is seen by then. */
const KEPT_MS = { allowed: 60_000, refused: 10_000, unknown: 10_000 } as const;
/** Tokens are remembered by their digest, and so many of them at most. */
const MOST = 512;
/** Reviews under way: a stranger who tries tokens keeps the API server no busier than that. */
const AT_ONCE = 4;
const MAX_TOKEN_CHARS = 16_384;
const CHALLENGE = {
  'www-authenticate': 'Basic realm="chain-operator: any name, a token as password", Bearer',
};

/** Routes that answer only who may list ChainNodes, by the API server's own word. Source: spec O-5. */
export function reviewedRoutes(
  routes: readonly HttpRoute[],
  { review, clock }: { readonly review: Review; readonly clock: Clock },
): readonly HttpRoute[] {
  const admit = admission(review, clock);
  return routes.map(({ handler, ...route }) => ({
    ...route,
    handler: async (request) => (await admit(request)) ?? handler(request),
  }));
}

/** The refusal, or `undefined` for who may pass. */
function admission(review: Review, clock: Clock): (request: HttpRequest) => Promise<HttpReply | undefined> {
  const known = new Map<string, Asked>();
  let underWay = 0;
  function ask(token: string): Asked['answer'] | undefined {
    const digest = createHash('sha256').update(token).digest('base64');
    const found = known.get(digest);
    if (found && found.until > clock.now()) return found.answer;
    if (underWay >= AT_ONCE) return undefined;
    underWay++;
    const asked: Asked = { answer: review(token), until: Number.POSITIVE_INFINITY };
    known.delete(digest);
    known.set(digest, asked);
    if (known.size > MOST) known.delete(known.keys().next().value!);
    const settled = (keptMs: number): void => {
      underWay--;
      asked.until = clock.now() + keptMs;
    };
    asked.answer.then((said) => settled(KEPT_MS[said])).catch(() => settled(0));
    return asked.answer;
  }
  return async ({ headers }) => {
    const token = tokenIn(headers.authorization);
    if (token === undefined) return challenge();
    const asked = ask(token);
    if (!asked) return refusal(503, 'too many unknown tokens at once', 1);
    const said = await asked.catch(() => undefined);
    if (said === undefined) return refusal(503, 'the API server does not say who you are', 5);
    if (said === 'unknown') return challenge();
    return said === 'allowed' ? undefined : refusal(403, 'you may not list ChainNodes');
  };
}

function challenge(): HttpReply {
  const reply = refusal(401, 'bring a token of the cluster: Authorization: Bearer TOKEN');
  return { ...reply, headers: { ...reply.headers, ...CHALLENGE } };
}

/** Of `Bearer TOKEN`, or the password of `Basic`, which browsers ask for. */
function tokenIn(header: string | undefined): string | undefined {
  const [, scheme = '', value = ''] = /^(Bearer|Basic) ([\w.~+/=-]+)$/i.exec(header ?? '') ?? [];
  if (value === '' || value.length > MAX_TOKEN_CHARS) return undefined;
  if (scheme.toLowerCase() === 'bearer') return value;
  const [, password = ''] = /^[^:]*:(.+)$/s.exec(Buffer.from(value, 'base64').toString('utf8')) ?? [];
  return password === '' ? undefined : password;
}
