import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import * as z from 'zod/mini';
import {
  incomingMessageInputSchema,
  type LocalEmail,
  type LocalWhatsappMessage,
  localEmailQuerySchema,
  localWhatsappMessageQuerySchema,
} from '#contract/channels.ts';
import { optionalTextSchema } from '#contract/fields.ts';
import { LOCATION_MAX_CHARS } from '#contract/limits.ts';
import { DESCRIPTION_MAX_CHARS, NAME_MAX_CHARS, TITLE_MAX_CHARS } from '#contract/posts.ts';
import { receiveProof } from '#worker/accounts/prove-by-message.ts';
import type { Db } from '#worker/db/client.ts';
import { listSent } from '#worker/email/record-email.ts';
import type { AppEnv } from '#worker/http/context.ts';
import { requireLocalTransport } from '#worker/http/middleware.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { deriveCode } from '#worker/identity/codes.ts';
import { newId } from '#worker/identity/digests.ts';
import { readCompetition, valuesOf } from '#worker/matching/find-candidates.ts';
import { judgePair, weighPair } from '#worker/matching/judging/match-rules.ts';
import { judgeCandidates } from '#worker/matching/match-post.ts';
import { readKind } from '#worker/matching/reading/read-kind.ts';
import { type PostReading, readPost } from '#worker/matching/reading/read-post.ts';
import { receiveWord } from '#worker/whatsapp/hear-word.ts';
import { isCode } from '#worker/whatsapp/queue-message.ts';
import { listAccepted } from '#worker/whatsapp/take-message.ts';
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

/** The page may load our style sheet, but no script. Its other headers are those of all the Worker's responses. */
const pageHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

/**
 * Shows the analysis of a post and the posts that it would match, to people who edit the lexicon on their own machine.
 */
export const matchDevRoutes = new Hono<AppEnv>()
  .use(requireLocalTransport)
  .use(pageHeaders)
  .use(async (c, next) => {
    await next();
    c.header('Cache-Control', 'no-store');
  })
  .get('/reading.css', (c) => c.body(READING_STYLES, 200, { 'Content-Type': 'text/css; charset=utf-8' }))
  .get('/reading', (c) => c.html(renderReadingPage({ lost: EMPTY, found: EMPTY, pair: null, matches: null })))
  // The page sends its form with POST, so that the URL contains none of the typed text, which may be personal.
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

/** Finds the public posts that the typed post would match. */
async function findFor(db: Db, postedBy: 'owner' | 'finder', reading: PostReading | null) {
  if (reading === null) return null;
  const post = { id: '', author_id: '', community_id: null, posted_by: postedBy, kind: readKind(reading) };
  return judgeCandidates(db, post, reading);
}

/** Routes below `/api/dev`. */
export const devRoutes = new Hono<AppEnv>()
  // Lists the WhatsApp messages that were printed instead of sent, newest first, and simulates incoming ones. These
  // routes exist only with the local transport, on a developer's machine.
  .use(requireLocalTransport)
  .get('/whatsapp-messages', validate('query', localWhatsappMessageQuerySchema), async (c) => {
    const rows = await listAccepted(c.var.db, c.req.valid('query').to ?? null);
    const messages = rows.map(({ id, kind, to, language, createdAt }) => ({
      to,
      kind,
      language,
      code: isCode(kind) ? deriveCode(c.var.config.keys.code, id) : null,
      created_at: new Date(createdAt).toISOString(),
    }));
    return c.json(messages satisfies LocalWhatsappMessage[]);
  })
  .post('/whatsapp-incoming', requireJson, validate('json', incomingMessageInputSchema), async (c) => {
    const { from = null, text, forwarded = false } = c.req.valid('json');
    const message = { id: newId(), from, text, sentAt: Date.now() };
    if (!forwarded) {
      await receiveProof(c.var.db, c.var.config, message, Date.now());
      await receiveWord(c.env, c.var.db, message, Date.now());
    }
    return c.body(null, 204);
  })
  // Lists the e-mails that were stored instead of sent, newest first.
  .get('/emails', validate('query', localEmailQuerySchema), async (c) => {
    const rows = await listSent(c.var.db, c.req.valid('query').to ?? null);
    const emails = rows.flatMap(({ content, createdAt }) =>
      content ? [{ ...content, created_at: new Date(createdAt).toISOString() }] : [],
    );
    return c.json(emails satisfies LocalEmail[]);
  });
