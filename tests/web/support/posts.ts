import { HttpResponse, http } from 'msw';
import type { MatchReason, Post, PostEntry, PostMatch } from '#contract/posts.ts';
import { aPost } from '#tests/support/a-post.ts';
import { server } from './setup.ts';

export { aPost };

/** A possible match, as the author's list contains it. */
export function aMatch(overrides: Partial<PostMatch> = {}): PostMatch {
  const Post = overrides.Post ?? aPost();
  return {
    pair_id: `pair-of-${Post.id}`,
    confidence: 'sure',
    Post,
    score: 0.8,
    reasons: [],
    answer: null,
    ...overrides,
  };
}

/** Answers a list of posts page by page, and records the query of each request. */
export function serveList(path: '/posts' | '/posts/by-owner', ...pages: Post[][]): URLSearchParams[] {
  return serveEntries(path, ...pages.map((posts) => posts.map((post) => ({ Post: post }))));
}

/** An entry that a search has found by meaning. */
export function aFoundEntry(found_by: 'meaning' | 'near', title: string, reasons: MatchReason[] = []): PostEntry {
  return { Post: aPost({ title, description: '', location: 'Posta' }), found_by, reasons };
}

/** Answers the search for posts, page by page, and keeps the query of each request. */
export function serveSearch(...pages: PostEntry[][]): URLSearchParams[] {
  return serveEntries('/posts', ...pages);
}

function serveEntries(path: string, ...pages: PostEntry[][]): URLSearchParams[] {
  const queries: URLSearchParams[] = [];
  server.use(
    http.get(`*/api${path}`, ({ request }) => {
      const query = new URL(request.url).searchParams;
      queries.push(query);
      const index = Number(query.get('cursor') ?? 0);
      const next = new URLSearchParams(query);
      next.set('cursor', String(index + 1));
      const headers = new Headers();
      if (index + 1 < pages.length) headers.set('Link', `</api${path}?${next}>; rel="next"`);
      return HttpResponse.json(pages[index] ?? [], { headers });
    }),
  );
  return queries;
}

/** Answers the requests of a signed-in user's screens, except those for posts. */
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
