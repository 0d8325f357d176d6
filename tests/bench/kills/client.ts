import type { Ledger, Wish } from './ledger.ts';

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

/** Sends a write that must not be lost. Without a response its outcome stays unknown. */
export async function wishFor({ origin, ledger }: Line, wish: Wish): Promise<void> {
  ledger.doubts.add(wish);
  const answer = await ask(origin, wish.method, wish.path, wish);
  // The Worker is overloaded or restarting: the app would retry too.
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
