import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { LIVE_PROTOCOL, LIVE_TICKET_PREFIX, type LiveMessage, type RealtimeTicket } from '#contract/live-messages.ts';
import type { NoticeList } from '#contract/notices.ts';
import { type MortalApp, startMortalApp } from '#tests/support/mortal-app.ts';

test.describe.configure({ timeout: 600_000 });
// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
test.beforeEach(({}, { project }) => {
  test.skip(project.name !== 'desktop' || process.platform !== 'linux', 'There is no browser in it: once is enough.');
});

type Person = { id: string; token: string };

async function ask<Answer>(app: MortalApp, method: string, path: string, body?: unknown, person?: Person) {
  const isForm = body instanceof URLSearchParams;
  const answer = await fetch(`${app.origin}${path}`, {
    method,
    headers: {
      ...(body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
      ...(person && { Authorization: `Bearer ${person.token}` }),
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
  expect(answer.ok, `${method} ${path} answered ${answer.status}`).toBe(true);
  return (await answer.json()) as Answer;
}

async function register(app: MortalApp, username: string, whatsapp_number: string): Promise<Person> {
  const person = { username, email: `${username}@example.com`, whatsapp_number, password: 'tumaini la kesho' };
  const { id } = await ask<{ id: string }>(app, 'POST', '/api/users', person);
  const form = new URLSearchParams({ username: person.email, password: person.password });
  const { access_token: token } = await ask<{ access_token: string }>(app, 'POST', '/api/login', form);
  return { id, token };
}

const CARD = { owner_first_name: 'Neema', location: 'Kariakoo', phone_number: '0712345678', description: '' };
const postCard = (app: MortalApp, person: Person, posted_by: string, title: string, owner_last_name: string) =>
  ask<{ id: string }>(app, 'POST', '/api/posts', { ...CARD, posted_by, title, owner_last_name }, person);

/** Listens as the person's browser does. */
async function listen(app: MortalApp, person: Person) {
  const { ticket } = await ask<RealtimeTicket>(app, 'POST', '/api/realtime/ticket', undefined, person);
  const address = `${app.origin.replace(/^http/, 'ws')}/ws/${person.id}`;
  const socket = new WebSocket(address, [LIVE_PROTOCOL, LIVE_TICKET_PREFIX + ticket]);
  const frames: string[] = [];
  socket.addEventListener('message', ({ data }) => frames.push(String(data)));
  await expect.poll(() => socket.readyState).toBe(WebSocket.OPEN);
  const messages = () => frames.filter((frame) => frame !== 'pong').map((frame) => JSON.parse(frame) as LiveMessage);
  return {
    messages,
    acknowledge: (id = '') => socket.send(JSON.stringify({ type: 'ack', id })),
    close: () => socket.close(),
    /** Waits until everything sent before was read. */
    async settle() {
      const pongs = () => frames.filter((frame) => frame === 'pong').length;
      const before = pongs();
      socket.send('ping');
      await expect.poll(pongs).toBeGreaterThan(before);
    },
  };
}

test('what was posted in the moment before the whole app is killed is told after its restart, exactly once', async () => {
  const stateFolder = mkdtempSync(join(tmpdir(), 'patikana-crash-'));
  let app = await startMortalApp(stateFolder);
  try {
    const [owner, finder] = [
      await register(app, 'asha', '+255712000001'),
      await register(app, 'john', '+255712000002'),
    ];
    const told: string[] = [];
    for (const name of ['Mwakyusa', 'Kimaro']) {
      await postCard(app, owner, 'owner', 'Nimepoteza kitambulisho cha NIDA', name);
      const found = await postCard(app, finder, 'finder', 'Found a NIDA card', name);
      await app.kill();

      app = await startMortalApp(stateFolder);
      const live = await listen(app, owner);
      const about = () => live.messages().filter((one) => one.type === 'matching_post' && one.post_id === found.id);
      await expect.poll(about, { timeout: 60_000 }).toHaveLength(1);
      const id = about()[0]?.id ?? '';
      // Shown, but the app dies before it is told so: the notice comes again, under the same id.
      await app.kill();

      app = await startMortalApp(stateFolder);
      const again = await listen(app, owner);
      await expect.poll(() => again.messages().map((one) => one.id)).toEqual([id]);
      again.acknowledge(id);
      await again.settle();
      again.close();
      told.push(id);
    }
    const last = await listen(app, owner);
    await last.settle();
    expect(last.messages()).toEqual([]);
    const { notices } = await ask<NoticeList>(app, 'GET', '/api/notices', undefined, owner);
    expect(notices.map(({ message }) => message.id).reverse()).toEqual(told);
    last.close();
  } finally {
    await app.kill();
    rmSync(stateFolder, { recursive: true, force: true });
  }
});
