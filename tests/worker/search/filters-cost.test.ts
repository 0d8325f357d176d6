import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '#contract/durations.ts';
import { POST_KINDS } from '#contract/kinds.ts';
import { newPerson, newPost, type Person } from '#tests/worker/support/api.ts';
import { communityCodeOf, join, newApprovedCommunity } from '#tests/worker/support/communities.ts';
import { expectTrips } from '#tests/worker/support/count-trips.ts';
import { sampleOf } from '#tests/worker/support/test-run.ts';

const POSTS = 100_000;
const BATCH = 20_000;
const PAGE = 20;
const NOW = Date.now();

/**
 * A request that filters by place examines up to 5,000 posts three times: to find the posts of the page, to compute the
 * cursor of the next page, and to count the phone numbers on the page.
 */
const WINDOW_ROWS_MAX = 5_000 * 7 + PAGE * 5;
/**
 * For all other filters there is an index. A request reads one page of public posts and one page of the community's
 * posts for each combination of side (owner or finder) and state (open or returned). To count the phone numbers on the
 * page, the request reads these pages again.
 */
const PAGE_ROWS_MAX = PAGE * 70;

let member: Person;
let code: string;

/**
 * Inserts a month's posts: every tenth in a community, every third an owner's, every fifth returned. One in a thousand
 * is about an animal in Mbezi.
 */
async function fill(authorId: string, communityId: string): Promise<void> {
  const insert = env.DB.prepare(`
    with recursive n (i) as (select cast(?1 as integer) union all select i + 1 from n where i < ?1 + ${BATCH} - 1),
      made as (select i, i % 10 = 0 as is_inside, iif(i % 1000 = 7, 'animal', ?4 ->> (i % 4)) as kind,
        iif(i % 1000 = 7, 'Mbezi', 'Kariakoo') as place from n)
    insert into posts (id, author_id, community_id, title, owner_first_name, owner_last_name, location, phone_number,
      description, posted_by, kind, is_found, search_text, visitor_text, created_at)
    select 'post-' || i, ?2, iif(is_inside, ?3, null), 'Simu', '', '', place, '0712345678',
      '', iif(i % 3 = 0, 'owner', 'finder'), kind, i % 5 = 0, 'simu' || ?6 || lower(place) || char(10),
      iif(is_inside, null, 'simu' || ?6 || lower(place) || char(10)), ?5 - (${POSTS} - i) * (30 * ${DAY_MS} / ${POSTS})
    from made`);
  const kinds = JSON.stringify(POST_KINDS.filter((kind) => kind !== 'animal').slice(0, 4));
  for (let from = 0; from < POSTS; from += BATCH) {
    await insert.bind(from, authorId, communityId, kinds, NOW, '\n\n').run();
  }
}

beforeAll(async () => {
  const { community } = await newApprovedCommunity();
  member = await newPerson();
  await join(community.access_code, member);
  code = await communityCodeOf(community.id, member);
  await fill((await newPerson()).id, community.id);
  // Hides one post. If any post is hidden, each request for a list may examine more posts to compute the cursor.
  const { id } = await newPost(await newPerson());
  await env.DB.prepare('update posts set hidden_by = 4 where id = ?').bind(id).run();
}, 120_000);

const WEEK_AGO = new Date(NOW - 7 * DAY_MS).toISOString();
const FILTERS = {
  posted_by: ['', 'owner', 'finder'],
  kind: ['', 'electronics', 'animal'],
  open: ['', '1'],
  since: ['', WEEK_AGO],
  place: ['', 'kariakoo', 'mbezi', 'ka'],
};

/** The size of the evenly spaced sample of filter combinations, which contains every value of every filter. */
const SAMPLE = 48;

function combinations(): URLSearchParams[] {
  return Object.entries(FILTERS).reduce(
    (made, [name, values]) =>
      made.flatMap((before) => values.map((value) => new URLSearchParams([...before, [name, value]]))),
    [new URLSearchParams({ limit: String(PAGE) })],
  );
}

test('the database for the tests of filter costs has 100,000 generated posts and one hidden post', async () => {
  expect(await env.DB.prepare('select count(*) as n from posts').first('n')).toBe(POSTS + 1);
});

test.each([
  ['a visitor', () => ({}), () => null],
  ['a signed-in person', () => member, () => null],
  ['a member who lists a community’s posts', () => member, () => code],
])(
  'with any filters, GET /api/posts makes one database call and reads a bounded number of rows (requested by %s)',
  async (_who, viewer, community) => {
    for (const query of sampleOf(combinations(), SAMPLE)) {
      const inside = community();
      if (inside !== null) query.set('community_code', inside);
      const { rowsRead } = await expectTrips(1, 200, 'GET', `/api/posts?${query}`, viewer());
      const most = query.get('place') === '' ? PAGE_ROWS_MAX : WINDOW_ROWS_MAX;
      expect.soft(rowsRead, String(query)).toBeLessThanOrEqual(most);
    }
  },
  120_000,
);
