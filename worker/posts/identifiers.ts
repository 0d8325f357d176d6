import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { IDENTIFIER_CHANGES_MAX } from '#contract/limits.ts';
import type { PostInput } from '#contract/posts.ts';
import { foldIdentifier } from '#contract/typed-numbers.ts';
import { hasProvenNumber, idOf } from '#worker/conditions/people.ts';
import type { Db } from '#worker/db/client.ts';
import { flag, queryFirst } from '#worker/db/statements.ts';
import type { Config } from '#worker/env.ts';
import { fingerprint } from '#worker/identity/digests.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import type { Changes } from './post-columns.ts';

/** The version of IDENTIFIER_KEY. Each digest begins with the version of the key that made the digest. */
const KEY_VERSION = '1';

/**
 * Returns the digest of a serial, document or plate number. Only the digest is stored: it suffices to find out whether
 * two numbers are equal.
 */
export function digestIdentifier(config: Config, typed: string): string {
  return `${KEY_VERSION}.${fingerprint(config.keys.identifier, 'identifier', foldIdentifier(typed))}`;
}

/**
 * Computes the digests of the identifiers in a request. Returns null for no identifiers, and undefined if the request
 * leaves them unchanged.
 */
export function digestIdentifiers(config: Config, { identifiers }: Pick<PostInput, 'identifiers'>) {
  if (identifiers === undefined) return undefined;
  const digests = [...new Set(identifiers?.map((typed) => digestIdentifier(config, typed)))].sort();
  return digests.length === 0 ? null : JSON.stringify(digests);
}

/** A post's identifiers as stored. Null: no identifiers. Undefined: the request leaves them unchanged. */
export type Digests = string | null | undefined;

const standingRow = () => z.object({ is_proven: flag(), is_first: flag() });

/** Statement: reads whether the viewer's phone number is proven, and whether these are the post's first identifiers. */
export function readIdentifierStanding(db: Db, viewer: Viewer, postId: string, digests: Digests) {
  return queryFirst(db, standingRow)`
    select ${hasProvenNumber(idOf(viewer))} as is_proven,
      exists (
        select 1 from posts where id = ${postId} and identifiers is null and identifier_changes = 0
          and ${digests ?? null} is not null) as is_first`;
}

/**
 * Condition of an `update`: the identifiers stay the same, are set for the first time, or have changed fewer times than
 * allowed.
 */
export function mayTakeIdentifiers(digests: Digests): SQL {
  return sql`(not ${areChanged(digests)} or identifier_changes < ${IDENTIFIER_CHANGES_MAX})`;
}

/** Condition of an `update`: the identifiers are unchanged. */
export function keepsIdentifiers(digests: Digests): SQL {
  return digests === undefined ? sql.raw('true') : sql`identifiers is ${digests}`;
}

/** Returns the values of the columns that store the identifiers, for `assignments`. */
export function identifierValues(digests: Digests): Changes {
  if (digests === undefined) return {};
  return { identifiers: digests, identifier_changes: sql`identifier_changes + ${areChanged(digests)}` };
}

/** Condition: the update changes existing identifiers. The first identifiers of a post are not a change. */
function areChanged(digests: Digests): SQL {
  if (digests === undefined) return sql.raw('false');
  return sql`(identifiers is not ${digests} and (identifiers is not null or identifier_changes > 0))`;
}
