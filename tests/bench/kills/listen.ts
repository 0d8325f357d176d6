import { setTimeout as sleep } from 'node:timers/promises';
import { LIVE_PROTOCOL, LIVE_TICKET_PREFIX, type LiveMessage } from '#contract/live-messages.ts';
import { ask, type Line, type Person } from './client.ts';

const PAUSE_MS = 200;
const PATIENCE_MS = 10_000;

/**
 * Connects as the person's app until the Worker dies. Acknowledges notices and checks that each acknowledgement was
 * stored.
 */
export async function listen(line: Line, person: Person, isOver: () => boolean): Promise<void> {
  const acknowledged = new Set<string>();
  while (!isOver()) {
    const told = await hearOnce(line, person).catch(() => null);
    await sleep(PAUSE_MS);
    // The Worker is dead, or too busy for connections. Tries again, as the app does.
    if (told === null) continue;
    for (const id of told) line.ledger.noteTold('socket', id);
    // A notice that a second connection does not receive was acknowledged and is on disk: the object sends nothing
    // before that.
    for (const id of acknowledged)
      if (!told.includes(id) && !line.ledger.confirmed.has(id)) line.ledger.confirmed.set(id, line.ledger.life);
    for (const id of told) acknowledged.add(id);
  }
}

/** @returns the notices that one connection received and acknowledged. @throws if there is no connection. */
async function hearOnce({ origin }: Line, person: Person): Promise<string[]> {
  const answer = await ask(origin, 'POST', '/realtime/ticket', person);
  const { ticket = '' } = answer.body as { ticket?: string };
  const address = `${origin.replace(/^http/, 'ws')}/ws/${person.id}`;
  const socket = new WebSocket(address, [LIVE_PROTOCOL, LIVE_TICKET_PREFIX + ticket]);
  const told: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error('no pong')), PATIENCE_MS);
  socket.addEventListener('open', () => socket.send('ping'));
  socket.addEventListener('message', ({ data }) => {
    if (data === 'pong') return resolve();
    const message = JSON.parse(String(data)) as LiveMessage | { type: 'notices_ended' };
    if (message.type === 'notices_ended') return;
    told.push(message.id);
    socket.send(JSON.stringify({ type: 'ack', id: message.id }));
  });
  for (const end of ['error', 'close'] as const) socket.addEventListener(end, () => reject(new Error(end)));
  try {
    await promise;
    return told;
  } finally {
    clearTimeout(timer);
    socket.close();
  }
}
