const PATIENCE_MS = 30_000;

/** The Worker died before it responded. */
export class CutOff extends Error {}

export type Person = { id: string; token: string };
export type Line = { origin: string; ledger: Ledger };

/** @throws CutOff if no response comes. */
export async function ask(
  origin: string,
  method: string,
  path: string,
  { token, body, key }: { token?: string; body?: unknown; key?: string } = {},
): Promise<{ status: number; body: { id?: string } }> {
  const isForm = body instanceof URLSearchParams;
  try {
    const answer = await fetch(`${origin}/api${path}`, {
      method,
      headers: {
        // No keep-alive: the Worker may close a kept connection just as it is reused, which looks like a crash.
        Connection: 'close',
        ...(body !== undefined && !isForm && { 'Content-Type': isPicture(body) ? 'image/jpeg' : 'application/json' }),
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      ...(body !== undefined && { body: isForm || isPicture(body) ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? {} : JSON.parse(text) };
  } catch (error) {
    throw new CutOff('no answer', { cause: error });
  }
}

function isPicture(body: unknown): body is Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array;
}

/** Sends a write that must not be lost. If no response comes, its outcome stays unknown. */
export async function wishFor({ origin, ledger }: Line, wish: Wish): Promise<void> {
  ledger.doubts.add(wish);
  const answer = await ask(origin, wish.method, wish.path, wish);
  // The Worker is overloaded or restarting. The write stays in `doubts` and is retried, as in the app.
  if (answer.status === 503) return;
  ledger.doubts.delete(wish);
  if (answer.status >= 500) ledger.problems.push(`${wish.method} ${wish.path} answered ${answer.status}`);
  if (answer.status < 300) ledger.acknowledged++;
  wish.onAnswer(answer);
}

/** Repeats interrupted requests, with the same keys. */
export async function repeatDoubts(line: Line): Promise<void> {
  while (line.ledger.doubts.size > 0) for (const wish of line.ledger.doubts) await wishFor(line, wish);
}

export async function register(origin: string, name: string, whatsapp_number: string): Promise<Person> {
  const account = { username: name, email: `${name}@example.com`, whatsapp_number, password: 'tumaini la kesho' };
  const { body } = await ask(origin, 'POST', '/users', { body: account });
  const form = new URLSearchParams({ username: account.email, password: account.password });
  const session = (await ask(origin, 'POST', '/login', { body: form })).body as { access_token?: string };
  if (body.id === undefined || session.access_token === undefined) throw new Error('nobody could be registered');
  return { id: body.id, token: session.access_token };
}

/** A request by a client. Its outcome is unknown if the Worker died before responding. */
export type Wish = {
  kind: 'post' | 'claim' | 'accept' | 'delete' | 'found' | 'photo' | 'delete photo';
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  token: string;
  /** JSON, or a picture. */
  body?: Record<string, unknown> | Uint8Array<ArrayBuffer>;
  /** The key that identifies a repeated request. */
  key: string;
  /** Receives the response, once there is one. */
  onAnswer(answer: { status: number; body: { id?: string } }): void;
};

export type KnownPost = {
  id: string;
  title: string;
  authorId: string;
  isFound: boolean;
  isGone: boolean;
};
type KnownClaim = { id: string; postId: string; claimantId: string; isAccepted: boolean };
type KnownPhoto = { id: string; postId: string; isGone: boolean };
/** A lost and a found post about one thing. The lost post's author must be notified of the found post. */
type KnownPair = { lostId: string; foundId: string; ownerId: string };

/** What the Worker has acknowledged to the clients, and which notices the clients have acknowledged to the Worker. */
export class Ledger {
  readonly posts = new Map<string, KnownPost>();
  readonly claims: KnownClaim[] = [];
  readonly photos: KnownPhoto[] = [];
  readonly pairs: KnownPair[] = [];
  /** Requests without a response. Each is repeated after the restart, as an app does. */
  readonly doubts = new Set<Wish>();
  /**
   * Maps the id of each acknowledged notice to the number of the Worker's life in which the acknowledgement was stored.
   * A life is the time between two kills.
   */
  readonly confirmed = new Map<string, number>();
  readonly problems: string[] = [];
  acknowledged = 0;
  life = 0;

  /** The ids of posts, claims and photos in requests without a response: their state is unknown. */
  listBusy(): ReadonlySet<string> {
    return new Set([...this.doubts].flatMap(({ path }) => path.split('/').slice(2)));
  }

  /** Whether the post certainly exists and is open. */
  isOpen(postId: string): boolean {
    const post = this.posts.get(postId);
    return post !== undefined && !post.isGone && !post.isFound && !this.listBusy().has(postId);
  }

  /** Records a problem if a client receives a notice whose acknowledgement the Worker stored in an earlier life. */
  noteDelivered(by: 'socket' | 'push', noticeId: string): void {
    const confirmedIn = this.confirmed.get(noticeId);
    if (confirmedIn !== undefined && confirmedIn < this.life) {
      this.problems.push(
        `The ${by} repeated notice ${noticeId}, already acknowledged ${this.life - confirmedIn} restarts earlier.`,
      );
    }
  }
}
