import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { openDb } from '#worker/db/client.ts';
import type { PersonalData } from '#worker/db/personal-data.ts';
import { deviceData } from '#worker/devices/index.ts';
import { emailData } from '#worker/email/index.ts';
import { pushData } from '#worker/push/index.ts';
import { reachData } from '#worker/reach/index.ts';
import { whatsappData } from '#worker/whatsapp/index.ts';
import { newPerson, type Person } from './support/api.ts';

/** A row of everything by which a person is reached, under ids that begin with theirs. */
async function insertRows({ id, phone }: Person): Promise<void> {
  const statements = [
    `insert into devices (id, user_id, name, created_at, last_seen_at)
     values (?1 || '-d2', ?1, 'Firefox', 5, 6), (?1 || '-d1', ?1, 'Chrome', 3, 4)`,
    `insert into devices (id, user_id, name, created_at, last_seen_at, ended_at) values (?1 || '-d3', ?1, '', 1, 2, 3)`,
    `insert into email_links (user_id, id, email, email_key, token_digest, origin, created_at)
     values (?1, ?1 || '-l', 'mpya@example.com', 'mpya@example.com', ?1, '', 7)`,
    `insert into email_messages (id, kind, recipient_id, status, attempts, created_at, updated_at)
     values (?1 || '-l', 'confirm_email', ?1, 'accepted', 1, 8, 9)`,
    `insert into push_subscriptions (endpoint, id, user_id, session_id, p256dh, auth, put_at)
     values ('https://fcm.googleapis.com/' || ?1, ?1, ?1, '', '', '', 10)`,
    `insert into notices (id, recipient_id, type, created_at) values (?1 || '-n', ?1, 'password_changed', 0)`,
    `insert into push_dead_letters (id, notice_id, recorded_at) values (?1, ?1 || '-n', 1)`,
    `insert into notice_settings (user_id, push, whatsapp, email, quiet_from, quiet_to)
     values (?1, 0, 1, 0, '20:00', '07:00')`,
    `insert into whatsapp_messages (id, kind, recipient_id, language, status, attempts, wamid, created_at, updated_at)
     values (?1, 'stopped', ?1, 'sw', 'accepted', 1, 'wamid.' || ?1, 11, 12)`,
    `insert into whatsapp_deliveries (wamid, status, rank, reported_at) values ('wamid.' || ?1, 'read', 3, 1)`,
    `insert into whatsapp_dead_letters (id, kind, recorded_at) values (?1, 'stopped', 1)`,
    `insert into whatsapp_outbox (message_id, recipient_id, job, created_at, due_at)
     values (?1, ?1, '{"kind":"stopped"}', 13, 9e15)`,
    `insert into whatsapp_words (user_id, message_id, is_on, sent_at) values (?1, ?1, 0, 14)`,
  ];
  await env.DB.batch([
    ...statements.map((statement) => env.DB.prepare(statement).bind(id)),
    env.DB.prepare("insert into whatsapp_recipients (day, number, share) values (1, ?, 'reset')").bind(phone),
  ]);
}

async function exportOf({ id }: Person): Promise<object> {
  const nouns: PersonalData[] = [deviceData, emailData, pushData, reachData, whatsappData];
  return Object.assign({}, ...(await Promise.all(nouns.map(({ exportFor }) => exportFor(openDb(env), id)))));
}

const EVERYTHING = {
  devices: [
    { name: 'Chrome', created_at: 3, last_seen_at: 4 },
    { name: 'Firefox', created_at: 5, last_seen_at: 6 },
  ],
  emails: [{ kind: 'confirm_email', status: 'accepted', created_at: 8 }],
  emails_to_confirm: [{ email: 'mpya@example.com', created_at: 7 }],
  push: [{ service: 'fcm.googleapis.com', put_at: 10 }],
  settings: { push: false, whatsapp: true, email: false, quiet_from: '20:00', quiet_to: '07:00' },
  whatsapp_messages: [{ kind: 'stopped', language: 'sw', status: 'accepted', created_at: 11 }],
  whatsapp_messages_waiting: [{ message: { kind: 'stopped' }, created_at: 13 }],
  whatsapp_stop_or_start: [{ is_on: false, sent_at: 14 }],
};

const NOTHING = {
  devices: [],
  emails: [],
  emails_to_confirm: [],
  push: [],
  settings: { push: true, whatsapp: false, email: true, quiet_from: '21:00', quiet_to: '06:00' },
  whatsapp_messages: [],
  whatsapp_messages_waiting: [],
  whatsapp_stop_or_start: [],
};

const LETTERS = ['push_dead_letters', 'whatsapp_dead_letters', 'whatsapp_deliveries', 'whatsapp_recipients'];

/** How many rows there are of what names no person, table by table. */
async function countLetters(): Promise<unknown[]> {
  return Promise.all(LETTERS.map((table) => env.DB.prepare(`select count(*) as n from ${table}`).first('n')));
}

test('an export says where a person is signed in, and how and of what they were told', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  await insertRows(person);
  expect(await exportOf(person)).toEqual(EVERYTHING);
  expect(await exportOf(other)).toEqual(NOTHING);
});

test('what is erased of one person is all of it, and nothing of another’s', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  for (const each of [person, other]) await insertRows(each);
  const before = await countLetters();
  const db = openDb(env);
  for (const { eraseFor } of [deviceData, emailData, pushData, reachData, whatsappData])
    for (const statement of eraseFor(db, person.id)) await statement;
  expect(await exportOf(person)).toEqual(NOTHING);
  expect(await exportOf(other)).toEqual(EVERYTHING);
  expect(await countLetters()).toEqual(before.map((count) => Number(count) - 1));
});
