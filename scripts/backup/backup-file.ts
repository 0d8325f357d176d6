import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { UserError } from '#scripts/command/user-error.ts';

const HEAD = /^-- Patikana at (\S+\.sql), backed up on (\S+)\n/;
export const FOOT_LINE = '-- The end of the backup\n';
const LINE_MAX_BYTES = 500;

type BackupHead = { migration: string; madeAt: string };

export function headLine({ migration, madeAt }: BackupHead): string {
  return `-- Patikana at ${migration}, backed up on ${madeAt}\n`;
}

/** @throws UserError if the file is not a backup, or is incomplete. */
export function readHead(file: string): BackupHead {
  const { first, last } = readEnds(file);
  const [, migration, madeAt] = HEAD.exec(first) ?? [];
  if (!migration || !madeAt) throw new UserError(`${file} is no backup of Patikana.`);
  if (!last.endsWith(FOOT_LINE)) throw new UserError(`${file} is not whole: its end is missing.`);
  return { migration, madeAt };
}

function readEnds(path: string): { first: string; last: string } {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    throw new UserError(`${path} cannot be read.`);
  }
  const read = (position: number) => {
    const buffer = Buffer.alloc(LINE_MAX_BYTES);
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, LINE_MAX_BYTES, position));
  };
  try {
    return { first: read(0), last: read(Math.max(0, fstatSync(file).size - LINE_MAX_BYTES)) };
  } finally {
    closeSync(file);
  }
}
