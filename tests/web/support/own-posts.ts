import { screen, within } from '@testing-library/react';
import type { Language } from '#contract/language.ts';
import { aPost, serveList } from './posts.ts';
import { renderScreen } from './render-screen.tsx';

export const MINE = { is_mine: true };

/** The title of the card, which dialogs and bars may name as well. */
export function titleOf(title: string): HTMLElement | null {
  return screen.queryByText(title, { selector: 'article a' });
}

export function cardOf(title: string) {
  return within(titleOf(title)?.closest('article') as HTMLElement);
}

/** My Posts of a reader of that language, with what they lost, Funguo, and what they found, Pochi. */
export async function openMyPosts(language: Language = 'en', search = '') {
  const posts = [aPost({ ...MINE, title: 'Funguo', posted_by: 'owner' }), aPost({ ...MINE, title: 'Pochi' })] as const;
  serveList('/posts/by-owner', [...posts]);
  const view = await renderScreen(`/my-posts${search}`, { language, isSignedIn: true });
  await screen.findByText('Funguo');
  return { ...view, posts };
}
