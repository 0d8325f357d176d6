import { HttpResponse, http } from 'msw';
import type { Post, PostMatch } from '#contract/posts.ts';
import { server } from './setup.ts';

let posts = 0;

/** A post like no other, as a signed-in reader gets it. */
export function aPost(overrides: Partial<Post> = {}): Post {
  const number = ++posts;
  return {
    id: `post-${number}`,
    title: `Simu nyeusi ${number}`,
    owner_first_name: 'Neema',
    owner_last_name: 'Mushi',
    location: 'Kariakoo',
    kept_at: null,
    phone_number: '0712345678',
    is_author_proven: true,
    is_contact_limited: false,
    contact_opens_at: null,
    description: 'Ina kava la bluu',
    posted_by: 'finder',
    kind: 'electronics',
    on_behalf: false,
    claim_question: null,
    community_code: null,
    community_name: null,
    is_found: false,
    state: stateOf(overrides),
    contact: 'number',
    is_mine: false,
    is_hidden: false,
    hidden_by: [],
    hidden_reason: null,
    photos: [],
    created_at: new Date().toISOString(),
    ...overrides,
  };
}

function stateOf({ is_found, is_hidden }: Partial<Post>): Post['state'] {
  if (is_found) return 'returned';
  return is_hidden ? 'hidden' : 'open';
}

/** A post that may be the one, as its author's list of matches has it. */
export function aMatch(overrides: Partial<PostMatch> = {}): PostMatch {
  const Post = overrides.Post ?? aPost();
  return { pair_id: `pair-of-${Post.id}`, confidence: 'sure', Post, score: 0.8, reasons: [], ...overrides };
}

/** Answers a list of posts, page by page, and keeps the query of each request. */
export function serveList(path: '/posts' | '/posts/by-owner', ...pages: Post[][]): URLSearchParams[] {
  const queries: URLSearchParams[] = [];
  server.use(
    http.get('*/api/posts/excluded', () => HttpResponse.json({})),
    http.get(`*/api${path}`, ({ request }) => {
      const query = new URL(request.url).searchParams;
      queries.push(query);
      const index = Number(query.get('cursor') ?? 0);
      const next = new URLSearchParams(query);
      next.set('cursor', String(index + 1));
      const headers = new Headers();
      if (index + 1 < pages.length) headers.set('Link', `</api${path}?${next}>; rel="next"`);
      return HttpResponse.json(
        (pages[index] ?? []).map((post) => ({ Post: post })),
        { headers },
      );
    }),
  );
  return queries;
}

/** What a signed-in reader's screens ask for besides posts. */
export function serveNothingElse(): void {
  server.use(
    http.get('*/api/communities', () => HttpResponse.json([])),
    http.get('*/api/matches/counts', () => HttpResponse.json({})),
    http.get('*/api/posts/:id/matches', () => HttpResponse.json([])),
  );
}

export function refuse(status: number, code: string, detail?: string, errors?: { field: string; message: string }[]) {
  return HttpResponse.json({ code, ...(detail && { detail }), ...(errors && { errors }) }, { status });
}
