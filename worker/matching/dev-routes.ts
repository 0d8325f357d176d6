import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import * as z from 'zod/mini';
import { DESCRIPTION_MAX_CHARS, LOCATION_MAX_CHARS, NAME_MAX_CHARS, TITLE_MAX_CHARS } from '#contract/limits.ts';
import { optionalTextSchema } from '#contract/text.ts';
import type { Db } from '#worker/db/client.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { requireLocalTransport } from '#worker/http/local-transport.ts';
import { validate } from '#worker/http/validate.ts';
import { readCompetition, valuesOf } from './competition.ts';
import { judgePair, weighPair } from './judging/match-rules.ts';
import { judgeCandidates } from './match-post.ts';
import { readKind } from './reading/read-kind.ts';
import { type PostReading, readPost } from './reading/read-post.ts';
import { READING_STYLES, type ReadingPage, renderReadingPage, type Side, type Typed } from './reading-page.ts';

const TITLE = optionalTextSchema({ max: TITLE_MAX_CHARS });
const DESCRIPTION = optionalTextSchema({ max: DESCRIPTION_MAX_CHARS, lines: true });
const LOCATION = optionalTextSchema({ max: LOCATION_MAX_CHARS });
const OWNER = optionalTextSchema({ max: NAME_MAX_CHARS });

const typedPostsSchema = z.object({
  lost_title: TITLE,
  lost_description: DESCRIPTION,
  lost_location: LOCATION,
  lost_owner: OWNER,
  found_title: TITLE,
  found_description: DESCRIPTION,
  found_location: LOCATION,
  found_owner: OWNER,
});

const EMPTY: Side = { typed: { title: '', description: '', location: '', owner: '' }, reading: null };

/** The page has a style sheet of ours and no script; everything else is as for any answer of the Worker. */
const pageHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

/** How a post is read and what it would match, for whoever edits the lexicon; beside the local transport alone. */
export const matchDevRoutes = new Hono<AppEnv>()
  .use(requireLocalTransport)
  .use(pageHeaders)
  .use(async (c, next) => {
    await next();
    c.header('Cache-Control', 'no-store');
  })
  .get('/reading.css', (c) => c.body(READING_STYLES, 200, { 'Content-Type': 'text/css; charset=utf-8' }))
  .get('/reading', (c) => c.html(renderReadingPage({ lost: EMPTY, found: EMPTY, pair: null, matches: null })))
  // Not in the address: what people write of themselves does not belong there.
  .post('/reading', validate('form', typedPostsSchema), async (c) => {
    const form = c.req.valid('form');
    const lost = readTyped('owner', {
      title: form.lost_title,
      description: form.lost_description,
      location: form.lost_location,
      owner: form.lost_owner,
    });
    const found = readTyped('finder', {
      title: form.found_title,
      description: form.found_description,
      location: form.found_location,
      owner: form.found_owner,
    });
    return c.html(renderReadingPage(await comparePosts(c.var.db, lost, found)));
  });

function readTyped(postedBy: 'owner' | 'finder', typed: Typed): Side {
  if (Object.values(typed).every((text) => text.trim() === '')) return EMPTY;
  const { owner, ...post } = typed;
  const [first = '', ...last] = owner.trim().split(/\s+/);
  const names = { owner_first_name: first, owner_last_name: last.join(' ') };
  return { typed, reading: readPost({ ...post, ...names, posted_by: postedBy, created_at: Date.now() }) };
}

async function comparePosts(db: Db, lost: Side, found: Side): Promise<ReadingPage> {
  if (lost.reading !== null && found.reading !== null) {
    const evidence = Object.entries(weighPair(lost.reading, found.reading)).filter(([, { points }]) => points !== 0);
    const competition = await readCompetition(db, 'owner', valuesOf(lost.reading));
    return {
      lost,
      found,
      pair: { judgement: judgePair(lost.reading, found.reading, competition), evidence },
      matches: null,
    };
  }
  const matches =
    lost.reading === null ? await findFor(db, 'finder', found.reading) : await findFor(db, 'owner', lost.reading);
  return { lost, found, pair: null, matches };
}

/** What a visitor's post would match: the public ones of everybody. */
async function findFor(db: Db, postedBy: 'owner' | 'finder', reading: PostReading | null) {
  if (reading === null) return null;
  const post = { id: '', author_id: '', community_id: null, posted_by: postedBy, kind: readKind(reading) };
  return judgeCandidates(db, post, reading);
}
