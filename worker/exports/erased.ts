import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { DAY_MS } from '#contract/durations.ts';
import type { Db } from '#worker/db/client.ts';
import { queryRows, rowOf } from '#worker/db/statements.ts';
import { erasedPeople } from '#worker/db/tables/operating.ts';
import type { Env } from '#worker/env.ts';
import { ERASED_KEY, erasedSchema } from './manifest.ts';

type Bucket = Pick<Env, 'BACKUPS'>;

const PEOPLE_AT_ONCE = 1_000;
/** How long an erasure stays recorded. Exports that contain the erased person are deleted earlier. */
export const ERASED_KEPT_MS = 97 * DAY_MS;

/** Returns a digest that identifies an erased person without their id. Ids are random, so nobody can guess them. */
export function digestOf(userId: string): string {
  return createHash('sha256').update(userId).digest('hex');
}

/** Records that an account is being erased. The scheduled sweep copies the record to the bucket. */
export async function noteErased(db: Db, userId: string, now: number): Promise<void> {
  await db.repeatable.run(sql`
    insert into erased_people (digest, erased_at) values (${digestOf(userId)}, ${now}) on conflict do nothing`);
}

/**
 * Adds erased people to the list in the bucket. The list must outlive the database. The scheduled sweep calls this
 * every minute. If two runs of the sweep overlap, only one writes the list; unlisted records stay for the next run.
 */
export async function listErased({ BACKUPS }: Bucket, db: Db, now: number): Promise<void> {
  const notes = await queryRows(db, rowOf(erasedPeople, 'digest', 'erased_at'))`
    select digest, erased_at from erased_people order by erased_at limit ${PEOPLE_AT_ONCE}`;
  if (notes.length === 0) return;
  const before = await BACKUPS.get(ERASED_KEY);
  const listed = before === null ? [] : erasedSchema.parse(await before.json());
  const known = new Map([...listed, ...notes].map((one) => [one.digest, one]));
  const kept = [...known.values()].filter(({ erased_at }) => erased_at > now - ERASED_KEPT_MS);
  const onlyIf = before === null ? IS_ABSENT : { etagMatches: before.etag };
  if ((await BACKUPS.put(ERASED_KEY, JSON.stringify(kept), { onlyIf })) === null) return;
  const digests = JSON.stringify(notes.map(({ digest }) => digest));
  await db.repeatable.run(sql`delete from erased_people where digest in (select value from json_each(${digests}))`);
}

const IS_ABSENT = { etagDoesNotMatch: '*' };

/**
 * Creates an empty list if there is none. Without a list, a database rebuilt from an export would contain people who
 * were erased.
 */
export async function ensureErasedList({ BACKUPS }: Bucket): Promise<void> {
  await BACKUPS.put(ERASED_KEY, '[]', { onlyIf: IS_ABSENT });
}
