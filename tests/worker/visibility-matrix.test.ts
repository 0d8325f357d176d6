/// <reference types="vite/types/importMeta.d.ts" />
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ENDPOINTS, type Endpoint } from '#contract/endpoints.ts';
import { newPostSchema, outcomeInputSchema, type Post, postInputSchema } from '#contract/posts.ts';
import { maySee, presented } from './support/visibility-oracle.ts';
import { LAST_WAYS, WAYS } from './support/visibility-ways.ts';
import { askApp, BLOCKED_AT, callerFor, makeWorld, VIEWERS, type World } from './support/visibility-world.ts';

let world: World;

beforeAll(async () => {
  world = await makeWorld();
}, 60_000);

const LOOKING = VIEWERS.filter((name) => name !== 'revoked');

describe.each(LOOKING)('%s', (viewer) => {
  test.each(Object.entries(WAYS))('sees through %s what docs/product.md says', async (_name, look) =>
    look(viewer, world),
  );

  test('finds nothing of a hidden post in the answer of any route', async () => {
    const hidden = world.posts.filter((post) => !maySee(viewer, post));
    expect(hidden.length).toBeGreaterThan(0);
    for (const path of addresses()) {
      const answer = await askApp('GET', path, callerFor(viewer, world));
      const text = (await answer.text()) + JSON.stringify([...answer.headers]);
      // What was reported stands before the platform's admins, whatever its author did since.
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

/** Every address that can be read, with the communities, the posts and whatever else it names. */
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

/** Bodies that a post's fields and an outcome make. */
const WITH_A_POST: z.ZodMiniType[] = [newPostSchema, postInputSchema, outcomeInputSchema];

describe.each(LOOKING)('%s, last', (viewer) => {
  test.each(Object.entries(LAST_WAYS))('sees through %s what docs/product.md says', async (_name, look) =>
    look(viewer, world),
  );
});

test('a token that was revoked reads nothing, not even what is public', async () => {
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

test('an author gets the post back from each way of changing it', async () => {
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

/** What nothing but a post has, in whatever answer it stands. */
const PARTS_OF_A_POST = ['owner_first_name', 'phone_number', 'posted_by', 'is_found', 'post_id', 'your_post_id'];

test('every endpoint whose answer contains a post or a part of one is among the ways tested', () => {
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

/** SQL that reads rows of posts, or names the fragments that do. */
const READS_POSTS =
  /(?<!delete )\b(from|join) posts\b|\b(FROM_POSTS|JOIN_PAIR_AND_POSTS|POST_COLUMNS)\b|update posts\b[^`]*returning/;

/** The functions of the Worker whose SQL reads posts, by file. */
function statementsOverPosts(): string[] {
  return Object.entries(SOURCES).flatMap(([file, source]) => {
    const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    const [, ...declarations] = code.split(/^(?=(?:export )?(?:async )?(?:function|const) )/m);
    return declarations
      .filter((declaration) => READS_POSTS.test(declaration))
      .map((declaration) => `${file.slice('/worker/'.length)} ${/(?:function|const) (\w+)/.exec(declaration)?.[1]}`);
  });
}

/** Where what each of them reads leaves the Worker, if it does. */
const STATEMENTS: Record<string, (keyof typeof WAYS | keyof typeof LAST_WAYS)[] | 'writes' | 'is for the job alone'> = {
  'admin/lookup-store.ts findAnything': ['GET /admin/search'],
  'admin/lookup-store.ts readPerson': ['GET /admin/users/:id'],
  'admin/lookup-store.ts readPostPage': ['GET /admin/posts/:id'],
  'blocks/store.ts findAuthor': 'writes',
  'claims/make-store.ts insertWhere': 'writes',
  'claims/make-store.ts readForClaim': ['POST /posts/:id/claims'],
  'claims/read-store.ts selectClaims': ['GET /claims', 'GET /claims/:id'],
  'communities/detail-store.ts readStats': ['GET /communities/:id/stats'],
  'communities/finish-closing.ts closeStatements': 'writes',
  'communities/leave-store.ts handOverCommunities': 'writes',
  'leaving/store.ts closeAccount': 'writes',
  'notices/retract-notices.ts retractNotices': 'writes',
  'matching/answer-store.ts fromOwnPair': 'writes',
  'matching/competition.ts refreshShares': 'is for the job alone',
  'matching/identifier-store.ts lookUpIdentifier': 'is for the job alone',
  'matching/pair-store.ts listMatchCounts': ['GET /matches/counts'],
  'matching/pair-store.ts readWithPairs': ['GET /posts/:id/matches', 'GET /posts/:id/matches, of others'],
  'matching/pair-store.ts selectPairs': ['GET /posts/:id/matches', 'GET /posts/:id/matches, of others'],
  'matching/personal-data.ts matchData': 'writes',
  'matching/store.ts claimOutdated': 'is for the job alone',
  'matching/store.ts claimOverduePost': 'is for the job alone',
  'matching/store.ts findCandidates': ['GET /posts/:id/matches, judged anew', 'GET /notices', 'the socket'],
  'matching/store.ts giveUp': 'writes',
  'matching/store.ts isNamed': 'is for the job alone',
  'matching/store.ts keepReading': 'writes',
  'matching/store.ts readPending': 'is for the job alone',
  'matching/store.ts selectNamed': 'is for the job alone',
  'matching/store.ts selectSharing': 'is for the job alone',
  'matching/store.ts sharesIdentifier': 'is for the job alone',
  'matching/write-pairs.ts storePairs': 'writes',
  'matching/write-pairs.ts tellOf': 'writes',
  'matching/write-pairs.ts upsertPairs': 'writes',
  'claims/code-store.ts isNotPaused': 'writes',
  'moderation/case-store.ts closeCase': 'writes',
  'moderation/community-suspension-store.ts reinstateCommunity': 'writes',
  'moderation/community-suspension-store.ts suspendCommunity': 'writes',
  'moderation/hide-posts.ts arePausedBy': 'writes',
  'moderation/log-store.ts selectLog': ['GET /admin/log'],
  'moderation/case-store.ts reopenEdited': 'writes',
  'moderation/claim-report-store.ts insertClaimReport': 'writes',
  'moderation/clear-expired.ts clearExpired': 'is for the job alone',
  'moderation/community-store.ts findInCommunity': 'writes',
  'moderation/decide-store.ts authorOf': 'writes',
  'moderation/decide-store.ts isHiddenBy': 'writes',
  'moderation/decide-store.ts selectJudged': 'writes',
  'moderation/hide-posts.ts hidePosts': 'writes',
  'moderation/hide-posts.ts restorePosts': 'writes',
  'moderation/personal-data.ts moderationData': ['the export'],
  'moderation/queue-store.ts KNOWN_OF_PERSON': ['GET /admin/reports'],
  'moderation/queue-store.ts listCases': ['GET /admin/reports'],
  'moderation/report-store.ts insertReport': 'writes',
  'moderation/report-store.ts insertWhere': 'writes',
  'moderation/suspension-store.ts postsOf': 'writes',
  'moderation/undo-store.ts selectDue': 'writes',
  'notices/list-store.ts countUnread': ['GET /notices', 'POST /notices/read'],
  'notices/list-store.ts listNotices': ['GET /notices'],
  'notices/list-store.ts readUnfinished': 'is for the job alone',
  'notices/personal-data.ts noticeData': ['the export'],
  'push/subscription-store.ts readPush': 'is for the job alone',
  'reach/reach-store.ts selectOwnLost': 'is for the job alone',
  'notices/store.ts JOIN_PAIR_AND_POSTS': ['GET /notices', 'the socket'],
  'notices/store.ts keepQuestions': 'writes',
  'notices/store.ts readUndelivered': ['the socket'],
  'notices/store.ts readUntold': 'is for the job alone',
  'notices/store.ts recordDelivery': 'writes',
  'notices/store.ts tellConfirmed': 'writes',
  'notices/store.ts withdrawBetween': 'writes',
  'notices/store.ts withdrawInside': 'writes',
  'photos/store.ts findPostOfPhoto': ['GET /photos/:name'],
  'photos/store.ts readForPhoto': 'writes',
  'photos/store.ts roomFor': 'writes',
  'posts/age-store.ts listToAsk': 'is for the job alone',
  'posts/age-store.ts restStatements': 'writes',
  'posts/age-store.ts selectOpenIn': 'is for the job alone',
  'posts/age-store.ts selectToRest': 'is for the job alone',
  'posts/delete-store.ts clearFound': 'writes',
  'posts/delete-store.ts deleteStatements': 'writes',
  'posts/delete-store.ts forgetPausedNumbers': 'writes',
  'posts/end-store.ts closeStatements': 'writes',
  'posts/identifier-store.ts readIdentifierStanding': 'is for the job alone',
  'posts/insert-store.ts insertPost': 'writes',
  'posts/insert-store.ts selectAnswerable': 'writes',
  'posts/insert-store.ts selectByKey': ['POST /posts'],
  'posts/insert-store.ts selectNew': ['POST /posts'],
  'posts/renew-texts.ts listOutdated': 'is for the job alone',
  'posts/list-conditions.ts sinceSeq': ['GET /posts'],
  'posts/list-store.ts listNewest': [
    'GET /posts',
    'GET /posts, page by page',
    'GET /posts, of a community',
    'GET /view-posts',
  ],
  'posts/list-store.ts listOwnPosts': ['GET /posts/by-owner'],
  'posts/number-store.ts countGiven': 'writes',
  'posts/number-store.ts giveNumbers': 'writes',
  'posts/number-store.ts readWithNumbers': ['GET /posts', 'GET /posts/:id'],
  'posts/personal-data.ts postData': ['the export'],
  'posts/post-columns.ts FROM_POSTS': ['GET /posts', 'GET /posts/:id'],
  'posts/post-columns.ts POST_COLUMNS': ['GET /posts', 'GET /posts/:id'],
  'posts/search-store.ts searchCommunity': ['GET /posts, of a community'],
  'posts/search-store.ts searchIndex': ['GET /posts'],
  'posts/search-store.ts searchNewest': ['GET /posts'],
  'posts/search-store.ts selectSaying': ['GET /admin/search'],
  'posts/return-store.ts returnStatements': 'writes',
  'posts/store.ts deletePost': 'writes',
  'posts/store.ts openPost': ['GET /posts/:id'],
  'posts/store.ts selectPost': [
    'GET /posts/:id',
    'GET /p/:id',
    'PUT /posts/:id',
    'PATCH /posts/:id/found',
    'DELETE /posts/:id/found',
    'PUT /posts/:id/outcome',
    'POST /posts/:id/wake',
  ],
  'posts/store.ts updatePost': 'writes',
  'posts/visibility.ts mayMiss': ['GET /posts, page by page'],
};

test('every statement over posts is listed here, with the ways that test it', () => {
  expect(statementsOverPosts().sort()).toEqual(Object.keys(STATEMENTS).sort());
});
