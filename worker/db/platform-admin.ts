import { sql } from 'drizzle-orm';
import type { BatchResponse } from 'drizzle-orm/batch';
import * as z from 'zod/mini';
import { AppError } from '#worker/errors/app-error.ts';
import { isPlatformAdmin } from '#worker/identity/platform-admin.ts';
import type { Viewer } from '#worker/identity/viewer.ts';
import { type Db, readAs, type Statement } from './client.ts';
import { flag, queryRows } from './rows.ts';

const platformAdminRow = () => z.object({ is_platform_admin: flag() });

/**
 * As `readAs`, and checks in the same round trip that the viewer is a platform admin.
 * @throws AppError forbidden.
 */
export async function readAsPlatformAdmin<First extends Statement, Rest extends Statement[]>(
  db: Db,
  viewer: Viewer,
  reads: readonly [First, ...Rest],
): Promise<BatchResponse<[First, ...Rest]>> {
  const [[account], ...answers] = await readAs(db, viewer, [
    queryRows(db, platformAdminRow)`select ${isPlatformAdmin(sql`${viewer.userId}`)} as is_platform_admin`,
    ...reads,
  ]);
  if (account?.is_platform_admin !== 1) throw new AppError('forbidden');
  return answers as unknown as BatchResponse<[First, ...Rest]>;
}
