import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { Language } from '#contract/language.ts';
import type { Post } from '#contract/posts.ts';
import { aPost } from './posts.ts';
import { renderScreen } from './render-screen.tsx';
import { server } from './setup.ts';

const LABELS = {
  en: { title: 'Title', location: 'Location', phone: 'Phone number', submit: 'Post item' },
  sw: { title: 'Kichwa cha tangazo', location: 'Mahali', phone: 'Namba ya simu', submit: 'Tangaza' },
} satisfies Record<Language, Record<string, string>>;

type Sent = { method: string; body: Record<string, unknown>; key: string | null };

/** Answers the form's request with this post, serves it from then on, and records the requests. */
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
