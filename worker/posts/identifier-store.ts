import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { IDENTIFIER_CHANGES_MAX } from '#contract/limits.ts';
import type { Db } from '#worker/db/client.ts';
import { flag, queryRows } from '#worker/db/rows.ts';
import { hasProvenNumber } from '#worker/identity/proven-number.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import type { Changes } from './post-columns.ts';
import { idOf } from './visibility.ts';

/** A post's identifiers as stored: null for none, undefined if the request leaves them as they are. */
export type Digests = string | null | undefined;

const standingRow = () => z.object({ is_proven: flag(), is_first: flag() });

/** Statement: whether the viewer's number is proven, and whether these would be the post's first identifiers. */
export function readIdentifierStanding(db: Db, viewer: Viewer, postId: string, digests: Digests) {
  return queryRows(db, standingRow)`
    select ${hasProvenNumber(idOf(viewer))} as is_proven,
      exists (
        select 1 from posts where id = ${postId} and identifiers is null and identifier_changes = 0
          and ${digests ?? null} is not null) as is_first`;
}

/** Condition of an `update`: the identifiers are unchanged, or the first ones, or have not been changed too often. */
export function mayTakeIdentifiers(digests: Digests): SQL {
  return sql`(not ${areChanged(digests)} or identifier_changes < ${IDENTIFIER_CHANGES_MAX})`;
}

/** Condition of an `update`: the identifiers are unchanged. */
export function keepsIdentifiers(digests: Digests): SQL {
  return digests === undefined ? sql.raw('true') : sql`identifiers is ${digests}`;
}

/** For `assignments`. */
export function identifierValues(digests: Digests): Changes {
  if (digests === undefined) return {};
  return { identifiers: digests, identifier_changes: sql`identifier_changes + ${areChanged(digests)}` };
}

/** Condition: the update changes the identifiers. Setting them for the first time is not a change. */
function areChanged(digests: Digests): SQL {
  if (digests === undefined) return sql.raw('false');
  return sql`(identifiers is not ${digests} and (identifiers is not null or identifier_changes > 0))`;
}
