import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { Dice } from '#tests/support/dice.ts';
import { newPerson, type Person } from '#tests/worker/support/api.ts';
import { channelOf, connect, type LiveSocket, settled, someMessage, untilHeard } from '#tests/worker/support/live.ts';
import { hostileText, hostileValue } from '#tests/worker/support/sample-bodies.ts';
import { IS_THOROUGH } from '#tests/worker/support/test-run.ts';

const SEED = Number(env.FUZZ_SEED);
const FRAMES = IS_THOROUGH ? 500 : 100;
const FRAMES_A_SOCKET = 50;

/** Valid, nearly valid and invalid frames. None acknowledges a notice of the sender's. */
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

test(`${FRAMES} frames, seed ${SEED}: the socket and its object survive, and nobody's notices are lost`, async () => {
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
