import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { LIVE_PROTOCOL, LIVE_TICKET_PREFIX, type LiveMessage } from '#contract/live-messages.ts';
import { whileLocked, withLocalDatabase } from '#scripts/database/local-database.ts';
import { Dice } from '#tests/support/dice.ts';
import { PushService } from '#tests/support/push-service.ts';
import { check } from './check.ts';
import { ask, CutOff, Ledger, type Line, type Person, register, repeatDoubts } from './client.ts';
import { type MortalWorker, prepareState, startMortalWorker } from './mortal-worker.ts';
import { WORKS } from './works.ts';

// Kills the Worker repeatedly while people use it, then compares the stored data with what the Worker acknowledged.

const PEOPLE = 4;
const WORKERS_A_PERSON = 2;
/**
 * Before each kill, the benchmark waits for a random number of acknowledged writes, at most this many. Before about
 * half of the kills it also waits for an acknowledged notice.
 */
const WRITES_A_LIFE = 40;
const LAST_MOMENT_MS = 500;
const LIFE_MAX_MS = 300_000;
const POLL_MS = 20;
const SETTLE_MS = 180_000;
const LISTEN_PAUSE_MS = 200;
const PONG_MAX_MS = 10_000;
const VARS = ['RATE_LIMITS:off', 'NOTICE_PUSH_SECONDS:1'];

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '50' }, seed: { type: 'string', default: String(Date.now() % 1e6) } },
});
const kills = Number(values.kills);
const dice = new Dice(Number(values.seed));
const stateFolder = mkdtempSync(join(tmpdir(), 'patikana-kills-'));
const ledger = new Ledger();
const pushes = await startPushService();
let worker: MortalWorker | null = null;
try {
  console.log(`Seed ${values.seed}`);
  await prepareState(stateFolder);
  worker = await startMortalWorker(stateFolder, VARS);
  const people = await makePeople({ origin: worker.origin, ledger });
  for (let kill = 1; kill <= kills; kill++) {
    await liveAndDie(worker, people);
    report(kill, await check(stateFolder, ledger, { isSettled: false }));
    worker = await startMortalWorker(stateFolder, VARS);
    ledger.life++;
    await repeatDoubts({ origin: worker.origin, ledger });
  }
  await settle(worker, people);
  await worker.kill();
  report(kills, await check(stateFolder, ledger, { isSettled: true }));
  console.log(
    `${kills} kills: ${ledger.acknowledged} writes acknowledged, 0 lost; ${ledger.confirmed.size} notices acknowledged, 0 told again; ${ledger.posts.size} posts, ${ledger.pairs.length} pairs, ${ledger.claims.length} claims and ${ledger.photos.length} photos agree with their indexes, terms, notices, objects and counts.`,
  );
} finally {
  await worker?.kill();
  pushes.stop();
  rmSync(stateFolder, { recursive: true, force: true });
}

async function makePeople(line: Line): Promise<Person[]> {
  const people: Person[] = [];
  for (let index = 0; index < PEOPLE; index++) {
    const person = await register(line.origin, `mtu${index}`, `+25571200000${index}`);
    await pushes.subscribe(line, person);
    people.push(person);
  }
  return people;
}

/** Kills the Worker while all people send writes and listen for notices. */
async function liveAndDie(alive: MortalWorker, people: readonly Person[]): Promise<void> {
  const line = { origin: alive.origin, ledger };
  let isDead = false;
  const untilDead = async (act: () => Promise<void>) => {
    while (!isDead) {
      try {
        await act();
      } catch (error) {
        if (!isDead && !(error instanceof CutOff)) throw error;
      }
    }
  };
  const busy = people.flatMap((person) => [
    ...Array.from({ length: WORKERS_A_PERSON }, () => untilDead(() => dice.pick(WORKS)(line, people, dice))),
    untilDead(() => listen(line, person, () => isDead)),
  ]);
  const writes = ledger.acknowledged + 1 + dice.below(WRITES_A_LIFE);
  const notices = ledger.confirmed.size + dice.below(2);
  const until = Date.now() + LIFE_MAX_MS;
  while (ledger.acknowledged < writes || ledger.confirmed.size < notices) {
    if (Date.now() > until) throw new Error('Nothing is acknowledged any more.');
    await sleep(POLL_MS);
  }
  await sleep(dice.below(LAST_MOMENT_MS));
  await alive.kill();
  isDead = true;
  await Promise.all(busy);
  notePushes();
}

function notePushes(): void {
  for (const id of pushes.takeHeard()) ledger.noteDelivered('push', id);
}

/** Waits until the scheduled sweep has finished interrupted work and everybody has received their notices. */
async function settle(alive: MortalWorker, people: readonly Person[]): Promise<void> {
  const line = { origin: alive.origin, ledger };
  await endUploads();
  const until = Date.now() + SETTLE_MS;
  let before: string[] = ['nothing yet'];
  while (before.length > 0 && Date.now() < until) {
    await alive.sweep();
    await Promise.all(people.map((person) => listen(line, person, oneRound())));
    before = await check(stateFolder, ledger, { isSettled: true });
  }
  notePushes();
  ledger.problems.push(...before);
}

/** Makes the cleanup of all interrupted uploads due now. No upload is running, so the cleanup need not wait for one. */
function endUploads(): Promise<unknown> {
  return withLocalDatabase(stateFolder, (db) =>
    whileLocked(() => db.prepare('UPDATE photo_leftovers SET due_at = 0').run()),
  );
}

function oneRound(): () => boolean {
  let rounds = 0;
  return () => rounds++ >= 2;
}

function report(kill: number, problems: string[]): void {
  if (problems.length > 0) throw new Error(`After kill ${kill} of seed ${values.seed}:\n${problems.join('\n')}`);
  console.log(`kill ${kill}: ${ledger.acknowledged} writes acknowledged, ${ledger.confirmed.size} notices, all there`);
}

/**
 * Connects repeatedly, like the person's app, until `isOver` returns true. Acknowledges the received notices, and
 * records which acknowledgements the Worker has stored.
 */
async function listen(line: Line, person: Person, isOver: () => boolean): Promise<void> {
  const acknowledged = new Set<string>();
  while (!isOver()) {
    const told = await hearOnce(line, person).catch(() => null);
    await sleep(LISTEN_PAUSE_MS);
    // The Worker is dead, or too busy for connections. Tries again, as the app does.
    if (told === null) continue;
    for (const id of told) line.ledger.noteDelivered('socket', id);
    // If the next connection does not receive an acknowledged notice again, the Durable Object has stored the
    // acknowledgement on disk.
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
  const timer = setTimeout(() => reject(new Error('no pong')), PONG_MAX_MS);
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

/** Starts a push service outside the Worker, so that it survives each kill. */
async function startPushService() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const service = new PushService(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  const subscriptions: ReturnType<PushService['subscribe']>[] = [];
  server.on('request', async (request, response) => {
    const { origin } = new URL(subscriptions[0]?.endpoint ?? '');
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const body = new Uint8Array(await buffer(request));
    const asked = new Request(`${origin}${request.url}`, { method: 'POST', headers, body });
    const { status } = await service.answer(asked).catch(() => new Response(null, { status: 400 }));
    response.writeHead(status).end();
  });
  const seen = new Map<(typeof subscriptions)[number], number>();
  return {
    async subscribe({ origin }: Line, person: Person): Promise<void> {
      const subscription = service.subscribe();
      subscriptions.push(subscription);
      const { endpoint, keys } = subscription;
      const { status } = await ask(origin, 'PUT', '/push/subscriptions', { ...person, body: { endpoint, keys } });
      if (status !== 204) throw new Error(`subscribing answered ${status}`);
    },
    /** Returns the notices pushed since the last call. */
    takeHeard(): string[] {
      return subscriptions.flatMap((subscription) => {
        const before = seen.get(subscription) ?? 0;
        seen.set(subscription, subscription.heard.length);
        return subscription.heard.slice(before).map(({ message }) => String(message.id));
      });
    },
    stop: () => server.close(),
  };
}
