import type { Env } from '#worker/env.ts';
import worker from '#worker/index.ts';
import { passCalls } from './mortal-env.ts';

export { UserChannel } from '#worker/user-channel.ts';

/** The usual search methods, for comparison: scanning all posts, or ranking all results. */
const BASELINES: Record<string, string> = {
  '/baseline/like': `select seq from posts
    where search_text like '%' || ?1 || '%' and search_text like '%' || ?2 || '%' order by seq desc limit 20`,
  '/baseline/bm25': `select rowid from posts_search where posts_search match '"' || ?1 || '" OR "' || ?2 || '"'
    order by bm25(posts_search) limit 20`,
};

const patient = { limit: async () => ({ success: true }) };
/** Limiters that never refuse, because a benchmark sends many requests. */
const PATIENT = {
  READS_OF_ADDRESS: patient,
  READS_OF_PERSON: patient,
  WRITES_OF_ADDRESS: patient,
  WRITES_OF_PERSON: patient,
};

/**
 * The Worker. Adds a header `X-Cost` to each response, for tests/bench/scale: how many calls the Worker made to the
 * database, and how many rows they read and wrote.
 */
export default {
  ...worker,
  async fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
    const tally = { trips: 0, read: 0, written: 0, isOver: false };
    const DB = passCalls(env.DB, async (ask) => {
      if (tally.isOver) return ask();
      tally.trips++;
      const answer = await ask();
      for (const result of [answer].flat() as { meta?: D1Meta }[]) {
        tally.read += result?.meta?.rows_read ?? 0;
        tally.written += result?.meta?.rows_written ?? 0;
      }
      return answer;
    });
    const counted = { ...env, DB, ...PATIENT };
    const answer = await (findBaseline(request, DB) ?? worker.fetch(request, counted, context));
    const body = await answer.arrayBuffer();
    tally.isOver = true;
    const headers = new Headers(answer.headers);
    headers.set('X-Cost', JSON.stringify(tally));
    return new Response(body.byteLength > 0 ? body : null, { status: answer.status, headers });
  },
};

function findBaseline(request: Request, db: D1Database): Promise<Response> | null {
  const { pathname, searchParams } = new URL(request.url);
  const statement = BASELINES[pathname];
  if (statement === undefined) return null;
  const words = searchParams.getAll('word');
  return db
    .prepare(statement)
    .bind(...words)
    .all()
    .then(({ results }) => Response.json(results));
}
