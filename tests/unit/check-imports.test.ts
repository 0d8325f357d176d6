import { describe, expect, test } from 'vitest';
import { findForbiddenImports, NOUN_EDGES } from '#scripts/lint/check-imports.ts';

const FORBIDDEN: [why: string, from: string, source: string][] = [
  ['the contract takes a library', 'contract/posts.ts', `import { Hono } from 'hono';`],
  ['the contract takes from the Worker', 'contract/posts.ts', `import { newId } from '#worker/identity/ids.ts';`],
  ['the Worker takes from the web app', 'worker/posts/routes.ts', `import { paths } from '#web/lib/paths.ts';`],
  ['an object takes from the tests', 'durable/mailbox.ts', `import { call } from '#tests/worker/support/api.ts';`],
  [
    'a screen takes from the scripts',
    'web/posts/api.ts',
    `import { DEMO_POSTS } from '#scripts/database/demo-posts.ts';`,
  ],
  ['rules read the database', 'worker/posts/post-rules.ts', `import type { Db } from '#worker/db/client.ts';`],
  ['rules take from a store', 'worker/posts/post-rules.ts', `import { insertPost } from './store.ts';`],
  ['a store takes from routes', 'worker/posts/store.ts', `import { postRoutes } from './routes.ts';`],
  [
    'the ground takes from a noun',
    'worker/http/viewer.ts',
    `import { hashPassword } from '#worker/accounts/index.ts';`,
  ],
  ['the ground takes from above', 'worker/db/client.ts', `import { hasRoom } from '#worker/limits/allowance.ts';`],
  ['the ground takes from an object', 'worker/http/viewer.ts', `import { x } from '#durable/get-user-channel.ts';`],
  ['an object takes from a noun', 'durable/tell.ts', `import { x } from '#worker/notices/index.ts';`],
  ['an object takes from the database', 'durable/tell.ts', `import type { Db } from '#worker/db/client.ts';`],
  ['an object takes from the top floor', 'durable/tell.ts', `import { sweep } from '#worker/sweep.ts';`],
  ['a noun takes from the top floor, too', 'worker/posts/store.ts', `import '#worker/ask-authors.ts';`],
  ['a noun takes from the top floor', 'worker/posts/store.ts', `import { sweep } from '#worker/sweep.ts';`],
  ['a noun passes by a door', 'worker/posts/routes.ts', `import { insertPair } from '#worker/matching/pair-store.ts';`],
  ['a noun takes from one it may not use', 'worker/posts/store.ts', `import { x } from '#worker/notices/index.ts';`],
  ['the sweep passes by a door', 'worker/sweep.ts', `import { x } from './recovery/close-sockets.ts';`],
  [
    'words take from the lexicon',
    'worker/matching/words/word-keys.ts',
    `import { getLexicon } from '#worker/matching/lexicon/lexicon.ts';`,
  ],
  [
    'the lexicon takes from the reading',
    'worker/matching/lexicon/lexicon.ts',
    `import type { PostReading } from '#worker/matching/reading/read-post.ts';`,
  ],
  [
    'the reading takes from the judging',
    'worker/matching/reading/read-post.ts',
    `import type { Evidence } from '#worker/matching/judging/evidence.ts';`,
  ],
  [
    'the judging takes from the job',
    'worker/matching/judging/match-rules.ts',
    `import type { Match } from '#worker/matching/match-types.ts';`,
  ],
  [
    'the reading takes from the ground',
    'worker/matching/reading/read-post.ts',
    `import type { Db } from '#worker/db/client.ts';`,
  ],
  ['the judging takes a library', 'worker/matching/judging/evidence.ts', `import { sql } from 'drizzle-orm';`],
  ['an import climbs', 'web/ui/card.tsx', `import { format } from '${'..'}/lib/format.ts';`],
  ['an import climbs from where it is', 'web/ui/card.tsx', `import { format } from './${'..'}/lib/format.ts';`],
  ['a screen takes from the Worker', 'web/posts/api.ts', `import type { PostRow } from '#worker/posts/post-rules.ts';`],
  ['a shared part takes from a noun', 'web/ui/card.tsx', `import { PostCard } from '#web/posts/post-card.tsx';`],
  ['a noun takes from another', 'web/posts/post-card.tsx', `import { CodeBox } from '#web/communities/code-box.tsx';`],
  ['a noun takes from the app', 'web/posts/api.ts', `export { router } from '#web/app/router.tsx';`],
  ['a lazy import is one too', 'web/lib/session.ts', `const home = () => import('#web/home/home-screen.tsx');`],
  ['an import may span lines', 'web/ui/field.tsx', `import {\n  listPosts,\n} from '#web/posts/api.ts';`],
];

describe('An import that runs the wrong way is named', () => {
  test.each(FORBIDDEN)('%s', (_why, from, source) => {
    const [problem, ...others] = findForbiddenImports(from, source);
    expect(problem).toContain(`${from} imports `);
    expect(others).toEqual([]);
  });
});

const ALLOWED: [why: string, from: string, source: string][] = [
  ['the contract takes zod and itself', 'contract/posts.ts', `import * as z from 'zod/mini';\nimport './text.ts';`],
  ['routes take rules and stores', 'worker/posts/routes.ts', `import './store.ts';\nimport './post-rules.ts';`],
  ['a noun uses one that it may', 'worker/matching/store.ts', `import { x } from '#worker/posts/index.ts';`],
  ['routes use any noun', 'worker/posts/routes.ts', `import { matchPost } from '#worker/matching/index.ts';`],
  ['the ground takes from below', 'worker/limits/allowance.ts', `import type { Db } from '#worker/db/client.ts';`],
  ['the bindings name an object', 'worker/env.ts', `import type { X } from '#durable/user-channel.ts';`],
  ['an object takes from the ground', 'durable/tell.ts', `import { log } from '#worker/errors/log.ts';`],
  ['a noun speaks to an object', 'worker/notices/store.ts', `import { x } from '#durable/get-user-channel.ts';`],
  [
    'the judging takes from the rooms below',
    'worker/matching/judging/compare-names.ts',
    `import './evidence.ts';\nimport '#worker/matching/reading/read-names.ts';\nimport '#worker/matching/words/word-keys.ts';`,
  ],
  [
    'the lexicon takes its own text',
    'worker/matching/lexicon/lexicon.ts',
    `import './things.txt';\nimport '#worker/matching/words/tokenise.ts';`,
  ],
  [
    'a noun words reasons from the lexicon',
    'worker/notices/notice-rules.ts',
    `import { wordReasons } from '#worker/matching/lexicon/word-reasons.ts';`,
  ],
  ['the judging gives reasons', 'worker/matching/judging/evidence.ts', `import '#contract/matching.ts';`],
  [
    'the job takes from every room',
    'worker/matching/match-post.ts',
    `import './judging/match-rules.ts';\nimport './reading/read-post.ts';\nimport './store.ts';`,
  ],
  ['the app mounts routes', 'worker/app.ts', `import { postRoutes } from './posts/routes.ts';`],
  ['a screen takes the contract', 'web/posts/api.ts', `import type { Post } from '#contract/posts.ts';`],
  ['the app takes nouns', 'web/app/router.tsx', `const lazy = () => import('#web/posts/my-posts-screen.tsx');`],
  ['a comment is no import', 'web/ui/card.tsx', `// moved here from '#web/posts/card.tsx'\nexport {};`],
];

describe('An import that runs the right way is left alone', () => {
  test.each(ALLOWED)('%s', (_why, from, source) => {
    expect(findForbiddenImports(from, source)).toEqual([]);
  });
});

test('no noun may import itself through others', () => {
  const reach = (noun: string, seen: string[]): string[] =>
    (NOUN_EDGES[noun] ?? []).flatMap((next) => (seen.includes(next) ? [next] : reach(next, [...seen, next])));
  expect(Object.keys(NOUN_EDGES).flatMap((noun) => reach(noun, [noun]))).toEqual([]);
});
