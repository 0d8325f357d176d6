import { screen, within } from '@testing-library/react';
import type { Language } from '#contract/language.ts';
import { aPost, serveList } from './posts.ts';
import { renderScreen } from './render-screen.tsx';

export const MINE = { is_mine: true };

/** Returns the card's title; dialogs and bars may contain the same text. */
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
