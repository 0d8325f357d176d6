import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod/mini';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { UserError } from '#scripts/command/user-error.ts';
import {
  ERASED_KEY,
  type Erased,
  erasedSchema,
  MANIFEST,
  type Manifest,
  manifestSchema,
} from '#worker/exports/manifest.ts';

export type Row = Record<string, string | number | null>;

/** An export by the Worker, in a folder. */
export type Export = {
  manifest: Manifest;
  erased: Erased;
  /** The table's rows, piece by piece. */
  readPieces(table: string): Generator<Row[]>;
};

/** @throws UserError, before anything is changed, if the export is incomplete, corrupted, or of a later version. */
export function readExport(folder: string): Export {
  const manifest = readManifest(folder);
  const erased = parse(erasedSchema, folder, ERASED_KEY);
  if (!existsSync(join(PROJECT_ROOT, 'migrations', manifest.migration)))
    throw new UserError(`${folder} was made by a later version: ${manifest.migration} is unknown to this one.`);
  const piecesOf = (table: string) => manifest.tables.find(({ name }) => name === table)?.pieces ?? [];
  for (const { name } of manifest.tables) for (const piece of piecesOf(name)) readPiece(folder, piece);
  return {
    manifest,
    erased,
    *readPieces(table) {
      for (const piece of piecesOf(table)) yield readPiece(folder, piece);
    },
  };
}

export function readManifest(folder: string): Manifest {
  return parse(manifestSchema, folder, MANIFEST);
}

function parse<Schema extends z.ZodMiniType>(schema: Schema, folder: string, name: string): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
  } catch {
    throw new UserError(`${folder} is no whole export: ${name} is missing or broken.`);
  }
}

type Piece = Manifest['tables'][number]['pieces'][number];

/** Verifies the piece's hash and parses its lines. */
function readPiece(folder: string, { file, sha256 }: Piece): Row[] {
  const path = join(folder, file);
  if (!existsSync(path)) throw new UserError(`${folder} is not whole: ${file} is missing.`);
  const bytes = readFileSync(path);
  if (createHash('sha256').update(bytes).digest('hex') !== sha256)
    throw new UserError(`${file} is not as it was written: its SHA-256 is another.`);
  const lines = bytes.toString('utf8').split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line) as Row);
}
