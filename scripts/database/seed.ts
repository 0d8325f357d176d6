import { join } from 'node:path';
import type { BatchItem } from 'drizzle-orm/batch';
import { drizzle } from 'drizzle-orm/d1';
import type { ClaimRole, ClaimState, ClaimStep } from '#contract/claims.ts';
import { PROJECT_ROOT } from '#scripts/command/command.ts';
import { DEFAULT_PORT } from '#scripts/dev/options.ts';
import { NEWS, nextState, speaksOfMoney, TABLE } from '#worker/claims/claim-rules.ts';
import { claimSteps, claims } from '#worker/db/tables/claims.ts';
import { communities, joinRequests, memberships } from '#worker/db/tables/communities.ts';
import { blocks, moderationLog } from '#worker/db/tables/moderation.ts';
import { noticeSettings, notices } from '#worker/db/tables/notices.ts';
import { phoneNumbers, users } from '#worker/db/tables/people.ts';
import { posts } from '#worker/db/tables/posts.ts';
import { emailKey, newId } from '#worker/identity/digests.ts';
import { DEMO_CLAIMS, DEMO_COMMUNITIES, DEMO_USERS, type DemoClaim } from './demo-people.ts';
import { DEMO_POSTS } from './demo-posts.ts';
import {
  applyMigrations,
  assertKnownMigrations,
  assertSchema,
  type LocalDatabase,
  withLocalDatabase,
} from './local-database.ts';
import {
  blockRows,
  communityRows,
  type Ids,
  joinRequestRows,
  logRows,
  membershipRows,
  moderationRows,
  numberRows,
  postRow,
  settingsRows,
  userRows,
} from './people-rows.ts';

const MIGRATIONS = join(PROJECT_ROOT, 'migrations');

/**
 * Migrates the local database. If it has no accounts yet, fills it with demo data.
 * @returns whether the demo accounts exist, and whether they are new.
 * @throws UserError if the database has the schema of another version.
 */
export function prepareDatabase(
  stateFolder: string,
  { isEmpty, port = DEFAULT_PORT }: { isEmpty: boolean; port?: number },
): Promise<{ hasDemo: boolean; isNew: boolean }> {
  return withLocalDatabase(stateFolder, async (db) => {
    await assertKnownMigrations(db, MIGRATIONS);
    await applyMigrations(db, MIGRATIONS);
    await assertSchema(db, MIGRATIONS);
    const isNew = !isEmpty && !(await hasUsers(db));
    if (isNew) await seed(db, `http://localhost:${port}`);
    return { hasDemo: await hasDemoUsers(db), isNew };
  });
}

async function hasUsers(db: LocalDatabase): Promise<boolean> {
  return (await db.prepare('SELECT 1 FROM users LIMIT 1').first()) !== null;
}

async function hasDemoUsers(db: LocalDatabase): Promise<boolean> {
  const query = db.prepare('SELECT 1 FROM users WHERE email_key = ?').bind(emailKey(DEMO_USERS.neema.email));
  return (await query.first()) !== null;
}

/**
 * Writes the demo data in one transaction, using the Worker's own table definitions and rules.
 * @param origin the app's origin.
 */
async function seed(local: LocalDatabase, origin: string, now = Date.now()): Promise<void> {
  const db = drizzle(local);
  const madePosts = DEMO_POSTS.map((post) => ({ post, id: newId() }));
  const postNamed = (name: string) => {
    const made = madePosts.find(({ post }) => post.name === name);
    if (!made) throw new Error(`No demo post has the name ${name}`);
    return made.id;
  };
  const ids: Ids = { users: newIds(DEMO_USERS), communities: newIds(DEMO_COMMUNITIES), postNamed };
  // Inserts the oldest posts first, because the app lists posts in the order of insertion.
  const oldestFirst = madePosts.toSorted((one, other) => other.post.ageMs - one.post.ageMs);
  const written = oldestFirst.map(({ post, id }) => ({ post, row: postRow(post, id, ids, now) }));
  const claimed = DEMO_CLAIMS.flatMap((claim) => {
    const made = written.find(({ row }) => row.id === postNamed(claim.post));
    return made ? [claimRows(claim, made.row, ids.users[claim.claimant], now)] : [];
  });
  const statements: BatchItem<'sqlite'>[] = [
    ...(await userRows(ids, origin, now)).map((row) => db.insert(users).values(row)),
    ...numberRows(ids, now).map((row) => db.insert(phoneNumbers).values(row)),
    ...settingsRows(ids).map((row) => db.insert(noticeSettings).values(row)),
    ...communityRows(ids, now).map((row) => db.insert(communities).values(row)),
    ...membershipRows(ids, now).map((row) => db.insert(memberships).values(row)),
    ...joinRequestRows(ids, now).map((row) => db.insert(joinRequests).values(row)),
    ...written.flatMap(({ post, row }) => [
      db.insert(posts).values(row),
      ...moderationRows(db, { post, row, ids, now }),
    ]),
    ...claimed.flatMap(({ claim, stepRows, noticeRows }) => [
      db.insert(claims).values(claim),
      ...stepRows.map((row) => db.insert(claimSteps).values(row)),
      ...noticeRows.map((row) => db.insert(notices).values(row)),
    ]),
    ...blockRows(ids, now).map((row) => db.insert(blocks).values(row)),
    ...logRows(ids, now).map((row) => db.insert(moderationLog).values(row)),
  ];
  await db.batch(statements as [BatchItem<'sqlite'>, ...BatchItem<'sqlite'>[]]);
}

function newIds<Name extends string>(things: Record<Name, unknown>): Record<Name, string> {
  return Object.fromEntries(Object.keys(things).map((name) => [name, newId()])) as Record<Name, string>;
}

type PostRow = typeof posts.$inferInsert;

/** Returns the rows of a claim, its steps and its notices. Checks each step against the Worker's table of steps. */
function claimRows({ claimant, answer, ageMs, steps }: DemoClaim, post: PostRow, claimantId: string, now: number) {
  const id = newId();
  const taken: Taken[] = [{ step: 'claim', by: 'claimant', text: null, at: now - ageMs }, ...steps.map(toTaken(now))];
  const timeOf = (name: string) => taken.find(({ step }) => step === name)?.at ?? null;
  const updatedAt = taken.at(-1)?.at ?? now;
  const claim: typeof claims.$inferInsert = {
    id,
    postId: post.id,
    postTitle: post.title,
    postKind: post.kind,
    finderId: post.authorId,
    claimantId,
    question: post.claimQuestion,
    privateMarks: post.privateMarks,
    answer,
    phoneNumber: DEMO_USERS[claimant].phone,
    state: stateAfter(steps),
    acceptedAt: timeOf('accept'),
    handedOverAt: timeOf('hand-over'),
    createdAt: now - ageMs,
    finderUpdatedAt: updatedAt,
    claimantUpdatedAt: updatedAt,
  };
  const people = { finder: post.authorId, claimant: claimantId };
  return {
    claim,
    stepRows: taken.map((step) => toStepRow(step, id)),
    noticeRows: taken.flatMap((step) => toNoticeRow(step, id, people, updatedAt)),
  };
}

type Taken = { step: 'claim' | ClaimStep; by: ClaimRole; text: string | null; at: number };

function toStepRow({ step, by, text, at }: Taken, claimId: string): typeof claimSteps.$inferInsert {
  const isAboutMoney = text !== null && speaksOfMoney(text);
  return { id: newId(), claimId, step, by, text, isAboutMoney, finderAt: at, claimantAt: at };
}

/**
 * Returns the row of a step's notice. The notice of the last step is not delivered yet: the Worker's clean-up job
 * (sweep) delivers it in its first run. All earlier notices are stored as delivered and read.
 */
function toNoticeRow(
  { step, at }: Taken,
  claimId: string,
  people: Record<ClaimRole, string>,
  updatedAt: number,
): (typeof notices.$inferInsert)[] {
  const news = NEWS[step];
  if (!news) return [];
  const deliveredAt = at === updatedAt ? null : at;
  return [
    {
      id: newId(),
      recipientId: people[news.to],
      type: news.type,
      claimId,
      createdAt: at,
      deliveredAt,
      acknowledgedAt: deliveredAt,
      readAt: deliveredAt,
    },
  ];
}

function toTaken(now: number) {
  return ({ step, text, ageMs }: DemoClaim['steps'][number]) => ({
    step,
    by: TABLE[step].by,
    text: text ?? null,
    at: now - ageMs,
  });
}

/** Returns the state of a claim after these steps. @throws Error if the Worker's claim rules do not allow a step. */
function stateAfter(steps: DemoClaim['steps']): ClaimState {
  return steps.reduce<ClaimState>((state, { step }) => {
    const next = nextState(state, step, TABLE[step].by);
    if (next === 'wrong_state') throw new Error(`Nobody can ${step} a claim that is ${state}`);
    return next;
  }, 'waiting');
}
