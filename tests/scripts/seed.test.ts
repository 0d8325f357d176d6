import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { OUTCOMES } from '#contract/posts.ts';
import { DEMO_CLAIMS } from '#scripts/database/demo-people.ts';
import { DEMO_POSTS } from '#scripts/database/demo-posts.ts';
import { deleteState, withLocalDatabase } from '#scripts/database/local-database.ts';
import { prepareDatabase } from '#scripts/database/seed.ts';
import { parseDevArguments } from '#scripts/dev/options.ts';
import { type OpenDatabase, openDatabase } from '#tests/support/open-database.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe('the demo data', () => {
  let folder: string;
  let database: OpenDatabase;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'patikana-seed-'));
    expect(await prepareDatabase(folder, { isEmpty: false, port: 4321 })).toEqual({ hasDemo: true, isNew: true });
    database = await openDatabase(folder);
  });
  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const rows = (statement: string) => database.query(statement);

  test('has a claim in each of the states waiting, asked, accepted and handed_over, with the claim’s steps and an unread notice', async () => {
    const claims = await rows(`
    select k.state, p.title, p.is_found, k.question = p.claim_question and k.private_marks = p.private_marks as is_sealed,
      (select group_concat(s.step, ' ') from claim_steps s where s.claim_id = k.id) as steps,
      (select group_concat(n.type, ' ') from notices n where n.claim_id = k.id and n.read_at is null) as unread
    from claims k join posts p on p.id = k.post_id and p.author_id = k.finder_id order by k.created_at desc`);
    expect(claims).toMatchObject([
      { state: 'waiting', is_found: 0, is_sealed: 1, steps: 'claim', unread: 'claim_received' },
      { state: 'asked', is_found: 0, is_sealed: 1, steps: 'claim ask', unread: 'claim_asked' },
      { state: 'accepted', is_found: 0, is_sealed: 1, steps: 'claim accept', unread: 'claim_accepted' },
      {
        state: 'handed_over',
        is_found: 1,
        is_sealed: 1,
        steps: 'claim ask reply accept hand-over',
        unread: 'handed_over',
      },
    ]);
    expect(claims).toHaveLength(DEMO_CLAIMS.length);
  });

  test('contains returned, closed and resting posts, posts that accept claims, and a finder’s post that answers an owner’s post', async () => {
    const [counts] = await rows(`
    select sum(contact = 'claim') as claimed, sum(answers_post_id is not null) as answering, sum(is_found) as returned,
      sum(away_since is not null and outcome is not null) as closed, sum(away_since is not null and outcome is null) as resting
    from posts`);
    expect(counts).toEqual({ claimed: 3, answering: 1, returned: 2, closed: 1, resting: 1 });
    const answered = await rows(`
    select o.posted_by, o.author_id <> p.author_id as is_others from posts p join posts o on o.id = p.answers_post_id`);
    expect(answered).toEqual([{ posted_by: 'owner', is_others: 1 }]);
  });

  test('is completely indexed for search, and no returned, closed or resting post waits to be matched', async () => {
    expect(await rows('select count(*) as count from posts_search')).toEqual([{ count: DEMO_POSTS.length }]);
    const [odd] = await rows(`
    select sum(is_found <> (found_at is not null)) as unfounded, sum((is_found or away_since is not null) and match_pending_since is not null) as waiting,
      sum(is_found and outcome not in (${OUTCOMES.map((outcome) => `'${outcome}'`).join()})) as unknown,
      sum(changed_at = 0) as unchanged from posts`);
    expect(odd).toEqual({ unfounded: 0, waiting: 0, unknown: 0, unchanged: 0 });
  });

  test('has accounts with a proven e-mail address, and one with a proven phone number that gets WhatsApp notices', async () => {
    const proven = await rows('select email_origin from users where email_proven_at is not null');
    expect(proven).toEqual([{ email_origin: 'http://localhost:4321' }, { email_origin: 'http://localhost:4321' }]);
    const told = await rows(`
    select s.whatsapp, n.proven_at is not null as is_proven from notice_settings s join phone_numbers n using (user_id)`);
    expect(told).toEqual([{ whatsapp: 1, is_proven: 1 }]);
  });
});

describe('an existing local database', () => {
  const whole = mkdtempSync(join(tmpdir(), 'patikana-schema-'));
  let folder: string;
  beforeAll(() => prepareDatabase(join(whole, 'new'), { isEmpty: true }));
  beforeEach(() => {
    folder = mkdtempSync(join(whole, 'copy-'));
    cpSync(join(whole, 'new'), folder, { recursive: true });
  });
  afterAll(() => rmSync(whole, { recursive: true, force: true }));

  const change = (statement: string) => withLocalDatabase(folder, (db) => db.prepare(statement).run());
  const prepare = () => prepareDatabase(folder, { isEmpty: true });

  test.each([
    ['a column of another version', 'ALTER TABLE posts ADD colour TEXT'],
    ['an index missing', 'DROP INDEX posts_by_author'],
    ['a trigger missing', 'DROP TRIGGER notices_place_in_day'],
    ['a migration of another version', "INSERT INTO d1_migrations (name) VALUES ('0043_no_index_twice.sql')"],
  ])('is refused by prepareDatabase() if it has %s; the error names the reset command', async (_what, statement) => {
    await change(statement);
    const refusal = await prepare().catch(String);
    expect(refusal).toContain('npm run dev -- --reset');
    expect(refusal).not.toContain('SQLITE');
  });

  test('does not lose its rows if prepareDatabase() runs again', async () => {
    await change("INSERT INTO heartbeats (name, beat_at) VALUES ('test', 1)");
    await prepare();
    const rows = await withLocalDatabase(folder, (db) =>
      db.prepare("SELECT * FROM heartbeats WHERE name = 'test'").all(),
    );
    expect(rows.results).toHaveLength(1);
  });

  test('is deleted by the option --reset, but the developer’s own files in the same folder remain', async () => {
    expect(parseDevArguments(['--reset'])).toMatchObject({ isReset: true, isEmpty: false });
    await change('DROP INDEX posts_by_author');
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    deleteState(folder);
    expect(await prepareDatabase(folder, { isEmpty: false })).toEqual({ hasDemo: true, isNew: true });
    expect(() => rmSync(join(folder, 'notes.txt'))).not.toThrow();
  });
});
