import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import type { SQLiteRaw } from 'drizzle-orm/sqlite-core/query-builders/raw';
import type { ErrorCode } from '#contract/error-codes.ts';
import { standingChecks, tokenChecks } from '#worker/db/tables/operating.ts';
import { devices, users } from '#worker/db/tables/people.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { isPlatformAdmin, type Viewer } from '#worker/identity/viewer.ts';

/** A drizzle database without drizzle's own `batch`, which returns results by position: use this module's `batch`. */
export type Handle = Omit<DrizzleD1Database, 'batch'>;
export type Db = Handle & {
  /** A handle for idempotent writes: like reads, these are retried if the connection is lost. */
  repeatable: Handle;
};
/**
 * SQL that the caller runs, usually in a batch. In all files, a comment that begins with "Statement" marks a function
 * that returns a statement and runs nothing; "Condition" and "Expression" mark parts of a statement.
 */
export type Statement = BatchItem<'sqlite'>;
export type Query<Row> = SQLiteRaw<Row[]>;
export type First<Row> = SQLiteRaw<Row | undefined>;

/**
 * Statements for one transaction, by name. They run in the order of the keys, and `changes()` depends on this order. No
 * key may look like a number, because JavaScript sorts such keys first. Plans can be nested: if a function returns
 * a plan, its caller puts this plan under a name into the caller's own plan.
 */
export type Plan = { readonly [name: string]: Part; readonly [position: number]: never };
type Part = Statement | readonly Part[] | Plan;
/** The results of a plan's statements, under the same names. */
export type Results<P> = P extends Statement
  ? P['_']['result']
  : P extends readonly (infer One)[]
    ? Results<One>[]
    : { [Name in keyof P]: Results<P[Name]> };

/** Opens a D1 session for one request. The session reads its own writes. */
export function openDb(env: { DB: D1Database }): Db {
  const session = env.DB.withSession('first-primary');
  const handle = openHandle(session, (texts) => (texts.every(isRead) ? callAgain : callOnce));
  return Object.assign(handle, { repeatable: openHandle(session, () => callAgain) });
}

/** Returns `callAgain` for statements that may be retried, and `callOnce` for others. */
type ChooseCall = (texts: string[]) => typeof callAgain;

function isRead(text: string): boolean {
  return /^\s*select\b/i.test(text);
}

function callOnce<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  return call();
}

/**
 * Opens a drizzle handle on a D1 session. Drizzle does not support sessions: instead of a database, it gets an object
 * with `prepare`, the only method of a database that drizzle calls.
 */
function openHandle(session: D1DatabaseSession, chooseCall: ChooseCall): Handle {
  const prepare = (text: string) => ({
    bind: (...values: unknown[]) => callable(bindTo(session, text, values), chooseCall([text])),
  });
  const handle: Handle = drizzle({ prepare } as unknown as D1Database);
  return Object.assign(handle, {
    batch: (statements: readonly Preparable[]) => runBatch(session, statements, chooseCall),
  });
}

/**
 * Binds a statement's values. Writes `limit +?` instead of `limit ?`: SQLite plans a statement with `limit ?` for one
 * value of the limit, and so prepares D1's cached statement again at each call. Preparing the statement takes longer
 * than reading one page of a list.
 */
function bindTo(session: D1DatabaseSession, text: string, values: unknown[]): D1PreparedStatement {
  return session.prepare(text.replaceAll(/\b(limit|offset) \?/gi, '$1 +?')).bind(...values);
}

function callable(statement: D1PreparedStatement, call: typeof callAgain) {
  return {
    all: () => call(() => statement.all()),
    raw: () => call(() => statement.raw()),
    run: () => call(() => statement.run()),
  };
}

/** The methods of a statement that drizzle's own `batch` calls. Drizzle does not export this type. */
export type Preparable<Result = unknown> = {
  _prepare(): {
    getQuery(): { sql: string; params: unknown[] };
    mapResult(answer: D1Result, isFromBatch: true): Result;
    execute(): Promise<Result>;
  };
};

/** Replaces drizzle's batch, which cannot bind values to raw SQL on D1 ("Cannot read properties of undefined"). */
async function runBatch(
  session: D1DatabaseSession,
  statements: readonly Preparable[],
  chooseCall: ChooseCall,
): Promise<unknown[]> {
  const prepared = statements.map((statement) => statement._prepare());
  const queries = prepared.map((statement) => statement.getQuery());
  const bound = queries.map(({ sql: text, params }) => bindTo(session, text, params));
  const results = await chooseCall(queries.map((query) => query.sql))(() => session.batch(bound));
  return results.map((result, index) => prepared[index]?.mapResult(result, true));
}

/** Runs the statements in one transaction and one round trip. An empty plan runs nothing. */
export async function batch<P extends Plan>(db: Handle, plan: P): Promise<Results<P>> {
  const statements = listStatements(plan);
  const { batch: run } = db as Handle & { batch(statements: readonly Statement[]): Promise<unknown[]> };
  return nameResults(plan, statements.length ? await run(statements) : []) as Results<P>;
}

function listStatements(part: Part): Statement[] {
  return isStatement(part) ? [part] : Object.values(part).flatMap(listStatements);
}

/**
 * Gives each result the name of its statement. Takes the results one after another from the front of `answers`, which
 * has the order of `listStatements`.
 */
function nameResults(part: Part, answers: unknown[]): unknown {
  if (isStatement(part)) return answers.shift();
  if (Array.isArray(part)) return part.map((inner) => nameResults(inner, answers));
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, nameResults(inner, answers)]));
}

function isStatement(part: Part): part is Statement {
  return '_prepare' in part;
}

/**
 * Runs the statements and a check of the viewer's token in one transaction. Only for reads: if the token turns out to
 * be revoked, a write would already have happened (use `writeAs`).
 * @throws AppError unauthorized when the account, the token version or the session is no longer valid.
 */
export async function readAs<P extends Plan>(db: Handle, viewer: Viewer | null, plan: P): Promise<Results<P>> {
  if (!viewer) return batch(db, plan);
  const { accounts, results } = await batch(db, {
    accounts: db.select({ id: users.id }).from(users).where(isAlive(viewer)),
    results: plan,
  });
  if (!accounts.length) throw new AppError('unauthorized');
  return results;
}

/**
 * Runs statements that write, in one transaction. If the viewer's token has been revoked, the first statement fails and
 * rolls the transaction back.
 * @throws AppError unauthorized.
 */
export function writeAs<P extends Plan>(db: Handle, viewer: Viewer, plan: P): Promise<Results<P>> {
  return writeChecked(db, { token: checkToken(db, viewer) }, plan);
}

/**
 * Like `writeAs`, for writes whose result other people can see. Refuses suspended people and accounts without a phone
 * number.
 * @throws AppError unauthorized, suspended, or number_needed.
 */
export function publishAs<P extends Plan>(db: Handle, viewer: Viewer, plan: P): Promise<Results<P>> {
  return writeChecked(db, { token: checkToken(db, viewer), standing: checkStanding(db, viewer) }, plan);
}

/**
 * Like `publishAs`, for decisions of platform admins. Also refuses a viewer who is no longer a platform admin.
 * @throws AppError unauthorized, suspended, number_needed, or forbidden.
 */
export function publishAsPlatformAdmin<P extends Plan>(db: Handle, viewer: Viewer, plan: P): Promise<Results<P>> {
  const checks = { token: checkToken(db, viewer), standing: checkStanding(db, viewer), role: checkRole(db, viewer) };
  return writeChecked(db, checks, plan);
}

async function writeChecked<P extends Plan>(db: Handle, checks: Plan, plan: P): Promise<Results<P>> {
  try {
    const { results } = await batch(db, { checks, results: plan });
    return results;
  } catch (error) {
    const code = failedCheck(error);
    throw code ? new AppError(code) : error;
  }
}

function checkToken(db: Handle, viewer: Viewer) {
  return db.run(sql`
    insert into ${tokenChecks} (is_valid) select 0 where not exists (select 1 from ${users} where ${isAlive(viewer)})`);
}

/**
 * Condition on a row of `users`: the row is the viewer's, their token is not revoked, and their session has not ended.
 */
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
 * Returns the unique column that a failed write violated, or null. Drizzle wraps D1's error for a single statement, but
 * not for a batch. Never log either error: the messages contain bound values.
 */
export function violatedUniqueColumn(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const column = /UNIQUE constraint failed: ([\w.]+)/.exec(cause.message)?.[1];
    if (column) return column;
  }
  return null;
}

const TRIES_MAX = 5;
const FIRST_PAUSE_MS = 100;

/** Errors that mean that a call or its answer was lost: a retry may succeed. */
const LOST =
  /Network connection lost|storage caused object to be reset|reset because its code was updated|Cannot resolve D1 DB due to transient issue|Can't read from request stream because client disconnected/;
/** Errors that mean that the platform is overloaded: a retry would add to the load. */
const BUSY =
  /(D1 DB|Durable Object) is overloaded|storage operation exceeded timeout|exceeded its (memory|CPU time) limit/;

/** Whether a call failed because of the platform, not because of our code. */
export function isUnavailable(error: unknown): boolean {
  return says(LOST, error) || says(BUSY, error);
}

/** Retries lost calls a few times, with growing random pauses, as Cloudflare advises. */
export async function callAgain<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (tries === TRIES_MAX || !says(LOST, error)) throw error;
      const longest = FIRST_PAUSE_MS * 2 ** (tries - 1);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
    }
  }
}

/** Whether the message of the error or of one of its causes matches. Drizzle and D1 each wrap the platform's error. */
function says(what: RegExp, error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (what.test(cause.message)) return true;
  }
  return false;
}
