import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIVE_PROTOCOL, LIVE_TICKET_PREFIX, type LiveMessage } from '#contract/live-messages.ts';
import { ask, CutOff, type Person } from '#tests/bench/kills/client.ts';
import { type MortalWorker, startMortalWorker } from '#tests/bench/kills/mortal-worker.ts';
import { type Percentiles, percentilesOf } from '#tests/support/dice.ts';
import { type Answers, type Draft, postEvenly } from './post-things.ts';

/** The Worker, the listeners and the settings of a round. A restart replaces `worker`. */
export type Field = {
  worker: MortalWorker;
  stateFolder: string;
  vars: string[];
  listeners: readonly Listener[];
  perSecond: number;
  /** The time limit for everybody to receive their notices. Notices that are still missing then count as lost. */
  patienceMs: number;
};

/**
 * A measurement. `times`: the percentiles of the measured durations. `count`: the number of these durations. `lost`:
 * how many stored notices their recipients did not receive.
 */
export type Measure = { what: string; count: number; times: Percentiles; lost: number };

const PAUSE_MS = 500;
const POLL_MS = 200;
const SWEEP_MS = 5_000;

/**
 * All listeners are connected. Measures the time from the HTTP response to a new post until each notice about the post
 * arrives.
 */
export async function allListen(field: Field, drafts: readonly Draft[]): Promise<Measure[]> {
  const answers: Answers = new Map();
  assertAllAnswered(await postEvenly(field.worker.origin, drafts, { ...field, answers }));
  const lost = await settle(field);
  return [measure('all connected: answer of the post → notice', waitsOf(field.listeners, answers), lost)];
}

/**
 * Half of the listeners are offline while posts are sent, and reconnect later at an even pace. Measures for each half
 * how long the notices take.
 */
export async function halfAreAway(field: Field, drafts: readonly Draft[]): Promise<Measure[]> {
  const away = field.listeners.filter((_, n) => n % 2 === 1);
  const there = field.listeners.filter((_, n) => n % 2 === 0);
  await Promise.all(away.map((listener) => listener.leave()));
  const answers: Answers = new Map();
  assertAllAnswered(await postEvenly(field.worker.origin, drafts, { ...field, answers }));
  await settle({ ...field, listeners: there });
  const begin = performance.now();
  const returns = new Map<Listener, number>();
  await Promise.all(
    away.map(async (listener, n) => {
      await sleep((1_000 * n) / field.perSecond);
      returns.set(listener, performance.now());
      await listener.connect(field.worker.origin);
    }),
  );
  const lost = await settle(field);
  const waits = away.flatMap((listener) =>
    heardSince(listener, begin).map(({ at }) => at - (returns.get(listener) ?? Number.NaN)),
  );
  return [
    measure('half connected: answer of the post → notice', waitsOf(there, answers), lost),
    measure('the other half: coming back → what waited', waits, lost),
  ];
}

/**
 * Kills the Worker while posts are sent. Then all listeners reconnect at once, and the posts without an HTTP response
 * are sent again.
 */
export async function allComeBack(field: Field, drafts: readonly Draft[]): Promise<Measure[]> {
  const answers: Answers = new Map();
  const posting = postEvenly(field.worker.origin, drafts, { ...field, answers });
  await sleep((500 * drafts.length) / field.perSecond);
  await field.worker.kill();
  const cutOff = await posting;
  const answeredBefore = new Map(answers);
  field.worker = await startMortalWorker(field.stateFolder, field.vars);
  const begin = performance.now();
  const sockets = await Promise.all(field.listeners.map((listener) => comeBack(listener, field.worker.origin)));
  assertAllAnswered(await postEvenly(field.worker.origin, cutOff, { ...field, answers }));
  const lost = await settle(field);
  const late = field.listeners.flatMap((listener) =>
    heardSince(listener, begin).flatMap(({ postId, at }) => (answeredBefore.has(postId) ? [at] : [])),
  );
  const anew = new Map([...answers].filter(([id]) => !answeredBefore.has(id)));
  return [
    measure('killed, all back at once: the Worker is there → socket open', since(begin, sockets), lost),
    measure('killed: the Worker is there → what it had cut off', since(begin, late), lost),
    measure('killed, afterwards: answer of the post → notice', waitsOf(field.listeners, anew), lost),
  ];
}

/** Reconnects. @returns the time at which the socket was open. */
async function comeBack(listener: Listener, origin: string): Promise<number> {
  await listener.connect(origin);
  return performance.now();
}

/**
 * Waits until the listeners have received all their stored notices. Runs the scheduled sweep, as the cron does.
 * @returns how many notices are missing after the time limit.
 */
async function settle({ worker, stateFolder, listeners, patienceMs }: Field): Promise<number> {
  const until = performance.now() + patienceMs;
  for (let sweepAt = performance.now() + SWEEP_MS; ; ) {
    const { unfinished, notices } = readStored(stateFolder);
    const heard = new Map(listeners.map(({ person, heard }) => [person.id, heard]));
    const lost = notices.filter(({ id, recipient_id }) => heard.get(recipient_id)?.has(id) === false).length;
    if ((unfinished === 0 && lost === 0) || performance.now() > until) return lost;
    if (performance.now() > sweepAt) {
      await worker.sweep();
      sweepAt = performance.now() + SWEEP_MS;
    }
    await sleep(POLL_MS);
  }
}

function assertAllAnswered(cutOff: readonly Draft[]): void {
  if (cutOff.length > 0) throw new Error(`${cutOff.length} posts got no answer: the Worker was not killed by us`);
}

/** Returns how long each notice took: the time from the HTTP response to the new post until the notice arrived. */
function waitsOf(listeners: readonly Listener[], answers: Answers): number[] {
  return listeners.flatMap(({ heard }) =>
    [...heard.values()].flatMap(({ postId, at }) => {
      const answeredAt = answers.get(postId);
      return answeredAt === undefined ? [] : [Math.max(0, at - answeredAt)];
    }),
  );
}

function heardSince({ heard }: Listener, begin: number) {
  return [...heard.values()].filter(({ at }) => at >= begin);
}

function since(begin: number, times: readonly number[]): number[] {
  return times.map((at) => at - begin);
}

function measure(what: string, values: number[], lost: number): Measure {
  return { what, count: values.length, times: percentilesOf(values), lost };
}

/** A notice of a match, and when it arrived. */
type Heard = { postId: string; at: number };

/** The listening part of a person's app: acknowledges each notice. */
export class Listener {
  readonly person: Person;
  /** The notices by id, so that a notice that arrives twice counts once. */
  readonly heard = new Map<string, Heard>();
  #socket: WebSocket | null = null;

  constructor(person: Person) {
    this.person = person;
  }

  /** Retries until the socket is open: when a thousand people connect at once, a ticket may expire unused. */
  async connect(origin: string): Promise<void> {
    for (;;) {
      try {
        return await this.#connectOnce(origin);
      } catch (error) {
        if (!(error instanceof CutOff)) throw error;
        await sleep(PAUSE_MS);
      }
    }
  }

  async #connectOnce(origin: string): Promise<void> {
    const { body } = await ask(origin, 'POST', '/realtime/ticket', this.person);
    const { ticket = '' } = body as { ticket?: string };
    const address = `${origin.replace(/^http/, 'ws')}/ws/${this.person.id}`;
    const socket = new WebSocket(address, [LIVE_PROTOCOL, LIVE_TICKET_PREFIX + ticket]);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.addEventListener('message', ({ data }) => this.#note(socket, JSON.parse(String(data)) as LiveMessage));
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('close', () => reject(new CutOff('no socket')));
    this.#socket = socket;
    await promise;
  }

  async leave(): Promise<void> {
    const socket = this.#socket;
    if (!socket || socket.readyState === WebSocket.CLOSED) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.addEventListener('close', () => resolve());
    socket.close();
    await promise;
  }

  #note(socket: WebSocket, message: LiveMessage): void {
    if (message.type !== 'matching_post') return;
    if (!this.heard.has(message.id)) this.heard.set(message.id, { postId: message.post_id, at: performance.now() });
    socket.send(JSON.stringify({ type: 'ack', id: message.id }));
  }
}

type Notice = { id: string; recipient_id: string };
type Stored = {
  /** The number of posts not matched yet, and of notices not yet in a mailbox. */
  unfinished: number;
  notices: Notice[];
};

/** Reads the match notices and the amount of unfinished work from the database file, while the Worker runs. */
function readStored(stateFolder: string): Stored {
  const [file] = globSync(join(stateFolder, 'v3/d1/*/*.sqlite'), { exclude: ['**/metadata.sqlite'] });
  if (file === undefined) throw new Error(`There is no database in ${stateFolder}`);
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    const left = database
      .prepare(
        `select (select count(*) from posts where match_pending_since is not null)
          + (select count(*) from notices where delivered_at is null) as n`,
      )
      .get();
    const notices = database.prepare("select id, recipient_id from notices where type = 'matching_post'").all();
    return { unfinished: Number(left?.n), notices: notices as Notice[] };
  } finally {
    database.close();
  }
}
