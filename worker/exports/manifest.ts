import * as z from 'zod/mini';

/** The contents of an export. Written last: an export without a manifest is incomplete. */
export const manifestSchema = z.object({
  day: z.string(),
  begun_at: z.number(),
  /** The latest migration of the database that was read. */
  migration: z.string(),
  /** In the order in which the tables were read. */
  tables: z.array(
    z.object({
      name: z.string(),
      rows: z.number(),
      /** Files with one JSON object per line. */
      pieces: z.array(z.object({ file: z.string(), rows: z.number(), sha256: z.string() })),
    }),
  ),
  /** The highest autoincrement value ever used, by table. */
  sequences: z.record(z.string(), z.number()),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** Erased accounts: the SHA-256 of their ids, and when they were erased. */
export const erasedSchema = z.array(z.object({ digest: z.string(), erased_at: z.number() }));
export type Erased = z.infer<typeof erasedSchema>;

export const MANIFEST = 'manifest.json';
export const ERASED_KEY = 'erased.json';
export const EXPORTS_PREFIX = 'exports/';

export function folderOf(day: string): string {
  return `${EXPORTS_PREFIX}${day}/`;
}

/**
 * Names a piece's file. The name contains a hash of the content, so that a piece that is written again with other
 * content gets another file.
 */
export function pieceFile(table: string, piece: number, sha256: string): string {
  return `${table}/${String(piece).padStart(6, '0')}-${sha256}.jsonl`;
}
