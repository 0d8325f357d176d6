import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { queryClient } from '#web/lib/query-client.ts';
import { loseNetwork } from './support/phone.ts';
import { aPost, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

test('posts that were seen on this phone can be read when the app is next opened without a network', async () => {
  serveNothingElse();
  serveList('/posts', [aPost({ title: 'Funguo za gari' })]);
  const visit = await renderScreen('/view-posts');
  expect(await screen.findByText('Funguo za gari')).toBeInTheDocument();
  await expect.poll(() => localStorage.getItem('seenPosts:visitor'), { timeout: 5_000 }).toContain('Funguo za gari');
  visit.unmount();
  queryClient.clear();
  loseNetwork();
  server.use(http.get('*/api/*', () => HttpResponse.error()));
  await renderScreen('/view-posts');
  expect(await screen.findByText('Funguo za gari')).toBeInTheDocument();
});
