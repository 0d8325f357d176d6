import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { BatchItem, BatchResponse } from 'drizzle-orm/batch';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import type { SQLiteRaw } from 'drizzle-orm/sqlite-core/query-builders/raw';
import type { ErrorCode } from '#contract/error-codes.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { isPlatformAdmin } from '#worker/identity/platform-admin.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { callAgain } from './retry.ts';
import { devices, standingChecks, tokenChecks, users } from './schema.ts';

export type Handle = DrizzleD1Database;
export type Db = Handle & {
  /** For idempotent writes: like reads, they are retried when the connection was lost. */
  repeatable: Handle;
};
/**
 * SQL that its caller runs, usually in a batch. In all stores a comment that begins with "Statement" marks a function that
 * returns one and runs nothing; "Condition" and "Expression" mark parts of a statement.
 */
export type Statement = BatchItem<'sqlite'>;
/** A statement that returns rows. */
export type Query<Row> = SQLiteRaw<Row[]>;

/** A D1 session for one request, which reads its own writes. */
export function openDb(env: { DB: D1Database }): Db {
  const session = env.DB.withSession('first-primary');
  const handle = openHandle(session, (texts) => (texts.every(isRead) ? callAgain : callOnce));
  return Object.assign(handle, { repeatable: openHandle(session, () => callAgain) });
}

/** Chooses whether these statements may be retried. */
type ChooseCall = (texts: string[]) => typeof callAgain;

function isRead(text: string): boolean {
  return /^\s*select\b/i.test(text);
}

function callOnce<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  return call();
}

/** Drizzle does not support D1 sessions yet. It gets an object with just the methods that it calls, hence the cast. */
function openHandle(session: D1DatabaseSession, chooseCall: ChooseCall): Handle {
  const prepare = (text: string) => ({
    bind: (...values: unknown[]) => callable(session.prepare(text).bind(...values), chooseCall([text])),
  });
  const handle = drizzle({ prepare } as unknown as D1Database);
  handle.batch = (statements) => runBatch(session, statements as unknown as readonly Preparable[], chooseCall) as never;
  return handle;
}

function callable(statement: D1PreparedStatement, call: typeof callAgain) {
  return {
    all: () => call(() => statement.all()),
    raw: () => call(() => statement.raw()),
    run: () => call(() => statement.run()),
  };
}

/** The part of a statement that drizzle's own batch uses but does not export. */
type Preparable = {
  _prepare(): {
    getQuery(): { sql: string; params: unknown[] };
    mapResult(result: D1Result, isFromBatch: true): unknown;
  };
};

/** Drizzle's own batch for D1 cannot bind values to raw SQL ("Cannot read properties of undefined (reading 'bind')"). */
async function runBatch(
  session: D1DatabaseSession,
  statements: readonly Preparable[],
  chooseCall: ChooseCall,
): Promise<unknown[]> {
  const prepared = statements.map((statement) => statement._prepare());
  const queries = prepared.map((statement) => statement.getQuery());
  const bound = queries.map(({ sql: text, params }) => session.prepare(text).bind(...params));
  const results = await chooseCall(queries.map((query) => query.sql))(() => session.batch(bound));
  return results.map((result, index) => prepared[index]?.mapResult(result, true));
}

/**
 * Runs the statements in one transaction and one round trip, which also checks that the viewer's token has not been
 * revoked. For reads only: a write would already have happened when the check fails (use `writeAs`).
 * @throws AppError unauthorized when the account is gone, its token version has been raised, or the session has ended.
 */
export async function readAs<First extends Statement, Rest extends Statement[]>(
  db: Handle,
  viewer: Viewer | null,
  statements: readonly [First, ...Rest],
): Promise<BatchResponse<[First, ...Rest]>> {
  type Answer = BatchResponse<[First, ...Rest]>;
  if (!viewer) return (await db.batch(statements as unknown as [Statement, ...Statement[]])) as Answer;
  const account = db.select({ id: users.id }).from(users).where(isAlive(viewer));
  const [accounts, ...answers] = await db.batch([account, ...statements]);
  if (!(accounts as unknown[]).length) throw new AppError('unauthorized');
  return answers as unknown as Answer;
}

/**
 * As `readAs`, for statements that write: if the viewer's token has been revoked, the first statement fails and rolls
 * the transaction back.
 * @throws AppError unauthorized.
 */
export function writeAs<First extends Statement, Rest extends Statement[]>(
  db: Handle,
  viewer: Viewer,
  statements: readonly [First, ...Rest],
): Promise<BatchResponse<[First, ...Rest]>> {
  return writeChecked(db, [checkToken(db, viewer)], statements);
}

/**
 * As `writeAs`, for what others get to see: refused to suspended people and to accounts without a phone number.
 * @throws AppError unauthorized, suspended, or number_needed.
 */
export function publishAs<First extends Statement, Rest extends Statement[]>(
  db: Handle,
  viewer: Viewer,
  statements: readonly [First, ...Rest],
): Promise<BatchResponse<[First, ...Rest]>> {
  return writeChecked(db, [checkToken(db, viewer), checkStanding(db, viewer)], statements);
}

/**
 * As `publishAs`, for what platform admins decide: a request whose admin is revoked while it is under way is refused.
 * @throws AppError unauthorized, suspended, number_needed, or forbidden.
 */
export function publishAsPlatformAdmin<First extends Statement, Rest extends Statement[]>(
  db: Handle,
  viewer: Viewer,
  statements: readonly [First, ...Rest],
): Promise<BatchResponse<[First, ...Rest]>> {
  const checks = [checkToken(db, viewer), checkStanding(db, viewer), checkRole(db, viewer)] as const;
  return writeChecked(db, checks, statements);
}

async function writeChecked<First extends Statement, Rest extends Statement[]>(
  db: Handle,
  checks: readonly [Statement, ...Statement[]],
  statements: readonly [First, ...Rest],
): Promise<BatchResponse<[First, ...Rest]>> {
  try {
    const answers = await db.batch([...checks, ...statements]);
    return answers.slice(checks.length) as unknown as BatchResponse<[First, ...Rest]>;
  } catch (error) {
    const code = failedCheck(error);
    throw code ? new AppError(code) : error;
  }
}

function checkToken(db: Handle, viewer: Viewer) {
  return db.run(sql`
    insert into ${tokenChecks} (is_valid) select 0 where not exists (select 1 from ${users} where ${isAlive(viewer)})`);
}

/** Condition on a row of `users`: it is the viewer's, their token has not been revoked, and their session has not ended. */
export function isAlive({ userId, tokenVersion, sessionId }: Viewer): SQL | undefined {
  const isEnded = sql`exists (select 1 from ${devices} where ${devices.id} = ${sessionId} and ${devices.endedAt} is not null)`;
  return and(eq(users.id, userId), eq(users.tokenVersion, tokenVersion), sql`not ${isEnded}`);
}

function checkStanding(db: Handle, viewer: Viewer) {
  return db.run(sql`
    insert into ${standingChecks} (is_suspended, lacks_number)
    select u.suspended_at is not null, n.user_id is null
    from users u left join phone_numbers n on n.user_id = u.id
    where u.id = ${viewer.userId} and (u.suspended_at is not null or n.user_id is null)`);
}

function checkRole(db: Handle, viewer: Viewer) {
  return db.run(sql`
    insert into ${standingChecks} (is_suspended, lacks_number, lacks_role)
    select 0, 0, 1 where not ${isPlatformAdmin(sql`${viewer.userId}`)}`);
}

/** The error code for a failed check, by the constraint's name. */
const CODE_OF_CHECK: Record<string, ErrorCode> = {
  token_is_valid: 'unauthorized',
  is_not_suspended: 'suspended',
  has_number: 'number_needed',
  has_role: 'forbidden',
};

function failedCheck(error: unknown): ErrorCode | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = CODE_OF_CHECK[/CHECK constraint failed: (\w+)/.exec(cause.message)?.[1] ?? ''];
    if (code) return code;
  }
  return undefined;
}

/**
 * Which unique column a failed write violated, or null. A single statement fails with drizzle's error around D1's, a
 * batch with D1's alone. Neither message may be logged, as it contains bound values.
 */
export function violatedUniqueColumn(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const column = /UNIQUE constraint failed: ([\w.]+)/.exec(cause.message)?.[1];
    if (column) return column;
  }
  return null;
}
