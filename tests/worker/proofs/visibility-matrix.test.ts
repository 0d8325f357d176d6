/// <reference types="vite/types/importMeta.d.ts" />
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ENDPOINTS, type Endpoint } from '#contract/endpoints.ts';
import { newPostSchema, outcomeInputSchema, type Post, postInputSchema } from '#contract/posts.ts';
import { IS_THOROUGH } from '#tests/worker/support/test-run.ts';
import { maySee, presented } from '#tests/worker/support/visibility-oracle.ts';
import { LAST_WAYS, WAYS } from '#tests/worker/support/visibility-ways.ts';
import {
  askApp,
  BLOCKED_AT,
  callerFor,
  makeWorld,
  VIEWERS,
  type World,
} from '#tests/worker/support/visibility-world.ts';

let world: World;

beforeAll(async () => {
  world = await makeWorld();
}, 60_000);

const LOOKING = IS_THOROUGH ? VIEWERS.filter((name) => name !== 'revoked') : (['visitor', 'blocked'] as const);

describe.each(LOOKING)('for the person “%s”', (viewer) => {
  test.each(Object.entries(WAYS))(
    'the path “%s” shows or refuses each post as docs/product.md says',
    async (_name, look) => look(viewer, world),
  );

  test('no route reveals a post that this person may not see', async () => {
    const hidden = world.posts.filter((post) => !maySee(viewer, post));
    expect(hidden.length).toBeGreaterThan(0);
    for (const path of addresses()) {
      const answer = await askApp('GET', path, callerFor(viewer, world));
      const text = (await answer.text()) + JSON.stringify([...answer.headers]);
      // Platform admins see a reported post, whatever its author has done with it since.
      const isDecided = viewer === 'platformAdmin' && path.startsWith('/api/admin/');
      for (const { name, mark, input } of hidden.filter(({ isReported }) => !(isDecided && isReported))) {
        const isRemembered = path === '/api/me/blocks' && BLOCKED_AT[viewer] === name;
        expect([path, name, text.includes(mark)]).toEqual([path, name, isRemembered]);
        expect(text, path).not.toContain(input.phone_number);
      }
      if (viewer === 'visitor')
        for (const { input } of world.posts) expect(text, path).not.toContain(input.phone_number);
    }
  });
});

/**
 * Returns every path that accepts GET. Replaces `:id` by the ids of the posts in the paths of posts, and by the ids of
 * the communities in all other paths.
 */
function addresses(): string[] {
  const names = Object.keys(ENDPOINTS).filter((name) => name.startsWith('GET '));
  const places = Object.values(world.places);
  return names
    .map((name) => `/api${name.slice('GET '.length)}`)
    .flatMap((path) => {
      const named = path.startsWith('/api/posts') ? world.posts : places;
      return path.includes(':id') ? named.map(({ id }) => path.replace(':id', id)) : [path];
    });
}

/** The schemas of request bodies that contain a post or a post's outcome. */
const WITH_A_POST: z.ZodMiniType[] = [newPostSchema, postInputSchema, outcomeInputSchema];

describe.each(LOOKING)('for the person “%s”, after all posts are matched a second time', (viewer) => {
  test.each(Object.entries(LAST_WAYS))(
    'the route “%s” shows or refuses each post as docs/product.md says',
    async (_name, look) => look(viewer, world),
  );
});

test('a request with a revoked token reads nothing, not even public data', async () => {
  const [own] = world.posts.filter(({ author }) => author === 'revoked');
  if (!own) throw new Error('no post');
  const asked = Object.entries<Endpoint>(ENDPOINTS).filter(
    ([, { needs, body }]) => needs !== 'nothing' && (!body || WITH_A_POST.includes(body)),
  );
  for (const [name, { body, fileTypes }] of asked) {
    const [method = '', route = ''] = name.split(' ');
    const path = `/api${route.replace(':id', route.startsWith('/posts') ? own.id : world.places.inside.id)}`;
    const answer = await askApp(method, path, {
      ...callerFor('revoked', world),
      ...(body && { body: { ...own.input, outcome: 'other' } }),
      ...(fileTypes && { headers: { 'Content-Type': String(fileTypes[0]) } }),
    });
    expect([name, answer.status]).toEqual([name, 401]);
    expect(await answer.text()).not.toContain(own.mark);
  }
});

test('the response to every change of a post contains the changed post', async () => {
  const own = world.posts.filter(({ author, fate }) => author === 'author' && fate === 'open');
  const caller = callerFor('author', world);
  for (const post of own.filter(({ place }) => place !== 'waiting')) {
    const change = async (method: string, path: string) =>
      (
        await askApp(method, `/api/posts/${post.id}${path}`, {
          ...caller,
          ...(method === 'PUT' && { body: post.input }),
        })
      ).json<Post>();
    expect({ ...(await change('PUT', '')), rests_at: null }).toEqual({ ...presented('author', post), rests_at: null });
    const renewed = await change('GET', '');
    const found_until = expect.any(String);
    const returned = { ...renewed, is_found: true, state: 'returned', rests_at: null, found_until };
    expect(await change('PATCH', '/found')).toEqual(returned);
    expect(await change('DELETE', '/found')).toEqual(renewed);
  }
});

/** Fields that a response contains only as parts of a post. */
const PARTS_OF_A_POST = ['owner_first_name', 'phone_number', 'posted_by', 'is_found', 'post_id', 'your_post_id'];

test('the visibility checks in WAYS cover every endpoint whose response contains a post or a part of a post', () => {
  const carriesPost = ({ answer }: Endpoint) => {
    const schema = answer ? JSON.stringify(z.toJSONSchema(answer, { io: 'output', unrepresentable: 'any' })) : '';
    return PARTS_OF_A_POST.some((part) => schema.includes(`"${part}":`));
  };
  const carrying = Object.entries<Endpoint>(ENDPOINTS).filter(([, endpoint]) => carriesPost(endpoint));
  const looked = Object.keys(WAYS).map((way) => way.split(',')[0]);
  expect(carrying.length).toBeGreaterThan(5);
  expect(carrying.map(([name]) => name).filter((name) => !looked.includes(name))).toEqual([]);
});

const SOURCES = import.meta.glob<string>('/worker/**/*.ts', { query: '?raw', import: 'default', eager: true });

/** SQL that reads posts, or names one of the SQL fragments that read posts. */
const READS_POSTS =
  /(?<!delete )\b(from|join) posts\b|\b(from|\w*join)\(posts\b|\b(FROM_POSTS|JOIN_PAIR_AND_POSTS|POST_COLUMNS)\b|update posts\b[^`]*returning/i;

/** Returns the file and name of each function or constant of the Worker with SQL that reads posts. */
function statementsOverPosts(): string[] {
  return Object.entries(SOURCES).flatMap(([file, source]) => {
    const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    const [, ...declarations] = code.split(/^(?=(?:export )?(?:async )?(?:function|const) )/m);
    return declarations
      .filter((declaration) => READS_POSTS.test(declaration))
      .map((declaration) => `${file.slice('/worker/'.length)} ${/(?:function|const) (\w+)/.exec(declaration)?.[1]}`);
  });
}

/** For each function or constant with SQL that reads posts: the paths that show its result, or why no path does. */
const STATEMENTS: Record<string, (keyof typeof WAYS | keyof typeof LAST_WAYS)[] | 'writes' | 'is for the job alone'> = {
  'admin/look-up.ts findAnything': ['GET /admin/search'],
  'admin/look-up.ts readPerson': ['GET /admin/users/:id'],
  'admin/look-up.ts readPostPage': ['GET /admin/posts/:id'],
  'blocks/routes.ts findAuthor': 'writes',
  'claims/make-claim.ts insertWhere': 'writes',
  'claims/make-claim.ts readForClaim': ['POST /posts/:id/claims'],
  'claims/read-claims.ts WHOLE_CLAIMS': ['GET /claims', 'GET /claims/:id'],
  'communities/read-community.ts readStats': ['GET /communities/:id/stats'],
  'communities/close-community.ts closeEmptied': 'writes',
  'communities/change-members.ts handOverCommunities': 'writes',
  'leaving/close-account.ts closeAccount': 'writes',
  'leaving/erase-account.ts retractNotices': 'writes',
  'matching/answer-pair.ts fromOwnPair': 'writes',
  'matching/find-candidates.ts refreshShares': 'is for the job alone',
  'matching/look-up-identifier.ts countAndFind': 'is for the job alone',
  'matching/list-matches.ts listMatchCounts': ['GET /matches/counts'],
  'matching/list-matches.ts readWithPairs': ['GET /posts/:id/matches', 'GET /posts/:id/matches, of others'],
  'matching/list-matches.ts selectPairs': ['GET /posts/:id/matches', 'GET /posts/:id/matches, of others'],
  'leaving/export-things.ts exportMatchAnswers': ['the export'],
  'leaving/erase-person.ts eraseSomeTerms': 'writes',
  'leaving/erase-person.ts planErasure': 'writes',
  'matching/renew-readings.ts claimOutdated': 'is for the job alone',
  'matching/match-post.ts claimOverduePost': 'is for the job alone',
  'matching/find-candidates.ts findCandidates': ['GET /posts/:id/matches, judged anew', 'GET /notices', 'the socket'],
  'matching/match-post.ts giveUp': 'writes',
  'matching/find-candidates.ts isNamed': 'is for the job alone',
  'matching/find-candidates.ts keepMeaning': 'writes',
  'matching/find-candidates.ts keepReading': 'writes',
  'matching/renew-readings.ts readUnread': 'is for the job alone',
  'matching/match-post.ts readPending': 'is for the job alone',
  'matching/find-candidates.ts selectNamed': 'is for the job alone',
  'matching/find-candidates.ts selectSharing': 'is for the job alone',
  'matching/find-candidates.ts sharesIdentifier': 'is for the job alone',
  'matching/write-pairs.ts notifyAuthors': 'writes',
  'matching/write-pairs.ts storePairs': 'writes',
  'matching/write-pairs.ts upsertPairs': 'writes',
  'claims/take-step.ts isNotPaused': 'writes',
  'moderation/cases.ts closeCase': 'writes',
  'communities/suspend-community.ts reinstateCommunity': 'writes',
  'communities/suspend-community.ts suspendCommunity': 'writes',
  'posts/post-states.ts arePausedBy': 'writes',
  'moderation/moderation-log.ts selectLog': ['GET /admin/log'],
  'moderation/cases.ts reopenEdited': 'writes',
  'moderation/report-claim.ts insertClaimReport': 'writes',
  'moderation/decide-on-post.ts findInCommunity': 'writes',
  'moderation/decide-on-post.ts authorOf': 'writes',
  'moderation/decide-on-post.ts isHiddenBy': 'writes',
  'moderation/decide-on-post.ts selectJudged': 'writes',
  'posts/post-states.ts restorePosts': 'writes',
  'moderation/list-cases.ts KNOWN_OF_PERSON': ['GET /admin/reports'],
  'moderation/list-cases.ts listCases': ['GET /admin/reports'],
  'moderation/report-post.ts insertReport': 'writes',
  'moderation/report-post.ts insertWhere': 'writes',
  'accounts/suspend-person.ts postsOf': 'writes',
  'moderation/decide-on-post.ts selectDue': 'writes',
  'notices/list-notices.ts countUnread': ['GET /notices', 'POST /notices/read'],
  'notices/list-notices.ts listNotices': ['GET /notices'],
  'realtime/routes.ts readUnfinished': 'is for the job alone',
  'push/subscriptions.ts readPush': 'is for the job alone',
  'notices/reach.ts selectOwnLost': 'is for the job alone',
  'notices/read-notices.ts JOIN_PAIR_AND_POSTS': ['GET /notices', 'the socket'],
  'notices/keep-notice.ts keepQuestions': 'writes',
  'notices/read-notices.ts readUndelivered': ['the socket'],
  'notices/read-notices.ts readUnread': 'is for the job alone',
  'notices/deliver-notices.ts recordDelivery': 'writes',
  'notices/keep-notice.ts notifyOtherAuthor': 'writes',
  'notices/withdraw-notices.ts withdrawBetween': 'writes',
  'notices/withdraw-notices.ts withdrawInside': 'writes',
  'photos/present-photos.ts findPostOfPhoto': ['GET /photos/:name'],
  'photos/add-photo.ts readForPhoto': 'writes',
  'photos/add-photo.ts roomFor': 'writes',
  'posts/ask-and-rest.ts listToAsk': 'is for the job alone',
  'posts/post-states.ts selectOpenIn': 'is for the job alone',
  'posts/ask-and-rest.ts selectToRest': 'is for the job alone',
  'retention.ts planDeletions': 'writes',
  'posts/post-states.ts forgetPausedNumbers': 'writes',
  'posts/identifiers.ts readIdentifierStanding': 'is for the job alone',
  'posts/create-post.ts insertPost': 'writes',
  'posts/create-post.ts selectAnswerable': 'writes',
  'posts/create-post.ts selectByKey': ['POST /posts'],
  'posts/create-post.ts selectNew': ['POST /posts'],
  'posts/search-texts.ts listOutdated': 'is for the job alone',
  'posts/newest-posts.ts sinceSeq': ['GET /posts'],
  'posts/list-posts.ts listPosts': [
    'GET /posts',
    'GET /posts, page by page',
    'GET /posts, of a community',
    'GET /view-posts',
  ],
  'posts/list-posts.ts listOwnPosts': ['GET /posts/by-owner'],
  'posts/give-numbers.ts countGiven': 'writes',
  'posts/give-numbers.ts giveNumbers': 'writes',
  'posts/give-numbers.ts readWithNumbers': ['GET /posts', 'GET /posts/:id'],
  'leaving/export-things.ts exportGivenNumbers': ['the export'],
  'leaving/export-things.ts exportPosts': ['the export'],
  'posts/post-columns.ts FROM_POSTS': ['GET /posts', 'GET /posts/:id'],
  'posts/post-columns.ts POST_COLUMNS': ['GET /posts', 'GET /posts/:id'],
  'posts/search-meaning.ts withMeaning': ['GET /posts', 'GET /posts, of a community'],
  'posts/search-posts.ts searchCommunity': ['GET /posts, of a community'],
  'posts/search-posts.ts searchIndex': ['GET /posts'],
  'posts/search-posts.ts searchNewest': ['GET /posts'],
  'posts/search-posts.ts selectSaying': ['GET /admin/search'],
  'posts/post-states.ts unmatch': 'writes',
  'posts/end-post.ts selectOwn': 'writes',
  'posts/find-post.ts openPost': ['GET /posts/:id'],
  'posts/find-post.ts selectPost': [
    'GET /posts/:id',
    'GET /p/:id',
    'PUT /posts/:id',
    'PATCH /posts/:id/found',
    'DELETE /posts/:id/found',
    'PUT /posts/:id/outcome',
    'POST /posts/:id/wake',
  ],
  'posts/change-post.ts updatePost': 'writes',
  'conditions/posts.ts mayMiss': ['GET /posts, page by page'],
};

test('every function or constant of the Worker with SQL that reads posts is listed in this test’s constant STATEMENTS', () => {
  expect(statementsOverPosts().sort()).toEqual(Object.keys(STATEMENTS).sort());
});
