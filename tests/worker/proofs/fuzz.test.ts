import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { Dice } from '#tests/support/dice.ts';
import { newPerson, type Person } from '#tests/worker/support/api.ts';
import {
  type Draft,
  type Ids,
  judge,
  listTextFields,
  makeBystanders,
  makeRequest,
  makeRun,
  makeScene,
  rowsOf,
  WEBHOOK_SECRET,
} from '#tests/worker/support/fuzz.ts';
import {
  channelOf,
  connect,
  type LiveSocket,
  settled,
  someMessage,
  untilHeard,
} from '#tests/worker/support/notices.ts';
import { hostileText, hostileValue } from '#tests/worker/support/sample-bodies.ts';
import { IS_THOROUGH } from '#tests/worker/support/test-run.ts';
import { forgetSwitches } from '#worker/admin/switches.ts';
import { app } from '#worker/app.ts';
import type { Env } from '#worker/env.ts';

describe('random requests', () => {
  const SEED = Number(env.FUZZ_SEED);
  const REQUESTS = Number(env.FUZZ_REQUESTS);
  /**
   * After this many requests, new accounts replace the accounts that send the requests, because some of these have been
   * deleted or suspended, or have lost their tokens.
   */
  const REQUESTS_A_SCENE = 500;
  const AT_ONCE = 5;
  const PATIENCE_MS = 60_000;
  const SHOWN = 400;

  const bindings = {
    ...env,
    RATE_LIMITS: 'off',
    WHATSAPP_APP_SECRET: WEBHOOK_SECRET,
    WHATSAPP_VERIFY_TOKEN: 'neno',
  } as Env;

  /** Every route, and some that do not exist. */
  const ROUTES = [
    ...new Set(app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`)),
    'GET /api/*',
  ];

  async function send(draft: Draft): Promise<{ problem: string | null; status: number }> {
    const { method, url, headers, body } = draft;
    const ctx = createExecutionContext();
    const { promise: lateness, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(() => resolve(null), PATIENCE_MS);
    const asked = async () => {
      const answer = await app.fetch(new Request(url, { method, headers, ...(body && { body }) }), bindings, ctx);
      await waitOnExecutionContext(ctx);
      return answer;
    };
    try {
      const answer = await Promise.race([asked(), lateness]);
      if (!answer) return { problem: 'hangs', status: 0 };
      return { problem: await judge(draft, answer.clone()), status: answer.status };
    } catch (error) {
      return { problem: `throws ${error}`, status: 0 };
    } finally {
      clearTimeout(timer);
    }
  }

  function show(draft: Draft, problem: string): string {
    const { method, url, headers, body } = draft;
    const shown = typeof body === 'string' ? body : body && `bytes ${[...body]}`;
    return `${method} ${url} ${problem}\n  ${JSON.stringify(headers)}\n  ${shown?.slice(0, SHOWN)}`;
  }

  /** Switches every feature on again, because the fuzzer's admin may have switched features off. */
  async function switchOn(): Promise<void> {
    await env.DB.exec('delete from switched_off');
    forgetSwitches();
  }

  /**
   * Fills each text field once with many repetitions of one character, because regular expressions are slowest on such
   * texts. @returns the findings.
   */
  async function fuzzRuns(dice: Dice, foreign: Ids): Promise<string[]> {
    const problems: string[] = [];
    let scene = await makeScene();
    const fields = listTextFields(ROUTES);
    for (const [index, field] of fields.entries()) {
      const draft = makeRun(field, { scene, foreign, number: `+25562${String(index).padStart(7, '0')}` }, dice);
      const { problem, status } = await send(draft);
      if (problem) problems.push(show(draft, problem));
      // The request's account may have been deleted or signed out, and could then send no further requests. New
      // accounts replace all accounts that send requests.
      if (status === 401) scene = await makeScene();
    }
    console.info(`Filled ${fields.length} text fields with one character`);
    return problems;
  }

  /** Sends REQUESTS random requests. @returns the findings, and the routes that answered 2xx. */
  async function fuzz(dice: Dice, foreign: Ids) {
    const problems: string[] = [];
    const reached = new Set<string>();
    const statuses = new Map<number, number>();
    for (let sent = 0; sent < REQUESTS; ) {
      const scene = await makeScene();
      for (const end = Math.min(sent + REQUESTS_A_SCENE, REQUESTS); sent < end; ) {
        const drafts = Array.from({ length: Math.min(AT_ONCE, end - sent) }, (_, index) => {
          const number = `+25561${String(sent + index).padStart(7, '0')}`;
          return makeRequest(ROUTES[(sent + index) % ROUTES.length] ?? '', { scene, foreign, number }, dice);
        });
        const outcomes = await Promise.all(drafts.map(async (draft) => ({ draft, ...(await send(draft)) })));
        for (const { draft, problem, status } of outcomes) {
          if (problem) problems.push(show(draft, problem));
          if (status >= 200 && status < 300) reached.add(draft.route);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
        if (drafts.some(({ route }) => route === 'PUT /api/admin/switches')) await switchOn();
        sent += drafts.length;
      }
    }
    return { problems, reached, statuses };
  }

  test(`${REQUESTS} random requests with seed ${SEED} all get valid responses and change no other people’s data`, async () => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
    for (const level of ['log', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {});
    const bystanders = await makeBystanders();
    const before = await rowsOf(bystanders.people);
    const startedAt = Date.now();
    const dice = new Dice(SEED);
    const runs = await fuzzRuns(dice, bystanders.ids);
    const { problems, reached, statuses } = await fuzz(dice, bystanders.ids);
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    console.info(
      `Fuzzed with seed ${SEED}: ${REQUESTS} requests over ${ROUTES.length} routes in ${seconds} s; ${reached.size} routes answered 2xx too, and by status there were ${JSON.stringify(Object.fromEntries([...statuses].sort()))}`,
    );
    expect([...runs, ...problems].slice(0, 20)).toEqual([]);
    expect(errors.mock.calls.slice(0, 20)).toEqual([]);
    expect(Object.keys(before).length).toBeGreaterThan(8);
    expect(await rowsOf(bystanders.people)).toEqual(before);
  }, 600_000);
});

describe('random socket frames', () => {
  const SEED = Number(env.FUZZ_SEED);
  const FRAMES = IS_THOROUGH ? 500 : 100;
  const FRAMES_A_SOCKET = 50;

  /** Returns a random frame: valid, nearly valid or invalid. No frame acknowledges one of the sender's own notices. */
  function makeFrame(dice: Dice, foreignId: string): string | ArrayBuffer {
    const text = hostileText(dice);
    return dice.pick<() => string | ArrayBuffer>([
      () => 'ping',
      () => 'pong',
      () => JSON.stringify({ type: 'ack', id: foreignId }),
      () => JSON.stringify({ type: 'ack', id: text }),
      () => JSON.stringify({ type: 'ack', id: hostileValue(dice) }),
      () => JSON.stringify({ type: hostileValue(dice), id: foreignId }),
      () => JSON.stringify(hostileValue(dice)),
      () => JSON.stringify({ type: 'ack', id: foreignId }).slice(0, -1),
      () => '{"type":"ack","id":"x","__proto__":{"id":"y"}}',
      () => '['.repeat(500),
      () => 'x'.repeat(dice.pick([511, 512, 513, 100_000])),
      () => text,
      () => new Uint8Array([0xff, 0xfe, 0x00, dice.below(256)]).buffer,
      () => new ArrayBuffer(dice.pick([0, 1, 70_000])),
    ])();
  }

  /** The person's stored notices, and which of them were acknowledged. */
  function mailboxOf({ id }: Person): Promise<unknown[]> {
    return runInDurableObject(channelOf({ id }), (_object, { storage }) =>
      storage.sql.exec('SELECT id, body, acknowledged_at FROM messages ORDER BY id').toArray(),
    );
  }

  async function expectAlive(live: LiveSocket, person: Person): Promise<void> {
    await settled(live);
    expect(live.closed).toBeNull();
    const message = someMessage();
    const heard = live.messages.length;
    await channelOf(person).deliver([message]);
    await untilHeard(live, heard + 1);
    expect(live.messages.at(-1)).toEqual(message);
    live.acknowledge(message.id);
    await settled(live);
  }

  test(`${FRAMES} random frames with seed ${SEED} leave the socket and the mailbox object working, and lose no notices`, async () => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
    const dice = new Dice(SEED);
    const [person, bystander] = [await newPerson(), await newPerson()];
    const [mine, theirs] = [someMessage(), someMessage()];
    await channelOf(person).deliver([mine]);
    await channelOf(bystander).deliver([theirs]);
    const before = await mailboxOf(bystander);
    expect(before).toHaveLength(1);
    for (let sent = 0; sent < FRAMES; sent += FRAMES_A_SOCKET) {
      const live = await connect(person);
      await settled(live);
      expect(live.messages).toEqual([mine]);
      for (let frame = 0; frame < FRAMES_A_SOCKET; frame++) live.socket.send(makeFrame(dice, theirs.id));
      await expectAlive(live, person);
      live.socket.close();
    }
    expect(await mailboxOf(bystander)).toEqual(before);
    expect(errors.mock.calls).toEqual([]);
    console.info(`Fuzzed with seed ${SEED}: ${FRAMES} frames over ${FRAMES / FRAMES_A_SOCKET} sockets`);
  }, 120_000);
});
