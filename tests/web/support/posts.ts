import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { Language } from '#contract/language.ts';
import type { MatchReason, Post, PostEntry, PostMatch } from '#contract/posts.ts';
import { aPost } from '#tests/support/posts.ts';
import { renderScreen } from './render-screen.tsx';
import { server } from './setup.ts';

export { aPost };

/** A match in the API's format, by default a sure match. */
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

/** Serves a list of posts page by page. Returns an array to which each request adds its query. */
export function serveList(path: '/posts' | '/posts/by-owner', ...pages: Post[][]): URLSearchParams[] {
  return serveEntries(path, ...pages.map((posts) => posts.map((post) => ({ Post: post }))));
}

/** A search result with the same meaning as the search (`meaning`), or with a related meaning (`near`). */
export function aFoundEntry(found_by: 'meaning' | 'near', title: string, reasons: MatchReason[] = []): PostEntry {
  return { Post: aPost({ title, description: '', location: 'Posta' }), found_by, reasons };
}

/** Serves the results of a search for posts page by page. Returns an array to which each request adds its query. */
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

/** Serves empty results for communities and matches, which a signed-in user's screens request besides posts. */
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

export const MINE = { is_mine: true };

/** Returns the element with this title. Searches only cards, because dialogs and bars may contain the same text. */
export function titleOf(title: string): HTMLElement | null {
  return screen.queryByText(title, { selector: 'article a' });
}

export function cardOf(title: string) {
  return within(titleOf(title)?.closest('article') as HTMLElement);
}

/** Opens My Posts in that language, with the lost post Funguo and the found post Pochi. */
export async function openMyPosts(language: Language = 'en', search = '') {
  const posts = [aPost({ ...MINE, title: 'Funguo', posted_by: 'owner' }), aPost({ ...MINE, title: 'Pochi' })] as const;
  serveList('/posts/by-owner', [...posts]);
  const view = await renderScreen(`/my-posts${search}`, { language, isSignedIn: true });
  await screen.findByText('Funguo');
  return { ...view, posts };
}

const LABELS = {
  en: { title: 'Title', location: 'Location', phone: 'Phone number', submit: 'Post item' },
  sw: { title: 'Kichwa cha tangazo', location: 'Mahali', phone: 'Namba ya simu', submit: 'Tangaza' },
} satisfies Record<Language, Record<string, string>>;

type Sent = { method: string; body: Record<string, unknown>; key: string | null };

/**
 * Answers the post form's requests with `answer`, and serves each post that `answer` responds with.
 * @returns an array to which each request is added.
 */
export function serveSubmit(
  answer: (sent: Sent) => Response | Promise<Response> = ({ body }) => HttpResponse.json(aPost(body)),
) {
  const sent: Sent[] = [];
  const note = async ({ request }: { request: Request }) => {
    const body = (await request.json()) as Record<string, unknown>;
    sent.push({ method: request.method, body, key: request.headers.get('Idempotency-Key') });
    const response = await answer(sent.at(-1) as Sent);
    if (response.ok) serveMade((await response.clone().json()) as Post);
    return response as never;
  };
  server.use(http.post('*/api/posts', note), http.put('*/api/posts/:id', note));
  return sent;
}

function serveMade(post: Post): void {
  server.use(http.get(`*/api/posts/${post.id}`, () => HttpResponse.json(post)));
}

/** @param state the navigation state of a link to the form. */
export async function openForm(language: Language = 'en', { isSignedIn = true, state }: OpenOptions = {}) {
  const view = await renderScreen({ pathname: '/create-post', state }, { language, isSignedIn });
  const labels = LABELS[language];
  const field = (name: 'title' | 'location' | 'phone') => screen.getByLabelText(labels[name]);
  await screen.findByLabelText(labels.title);
  const submit = () => view.user.click(screen.getByRole('button', { name: labels.submit }));
  const fill = async (title = 'Funguo') => {
    await view.user.type(field('title'), title);
    await view.user.type(field('location'), 'Moshi');
    await view.user.clear(field('phone'));
    await view.user.type(field('phone'), '0712345678');
  };
  return { ...view, field, submit, fill };
}

type OpenOptions = { isSignedIn?: boolean; state?: unknown };
