import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import en from '#locales/en/outside/errors.json';
import sw from '#locales/sw/outside/errors.json';
import { refuse } from './support/communities.ts';
import { aPost, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const switchedOff = (detail: string) => refuse(503, { code: 'switched_off', detail });

test.each([
  [
    'en',
    en.switched_off,
    'Create account',
    ['Username', 'Email', 'Phone number (WhatsApp)', 'Password', 'Confirm password'],
  ],
  [
    'sw',
    sw.switched_off,
    'Fungua akaunti',
    ['Jina la mtumiaji', 'Barua pepe', 'Namba ya simu (WhatsApp)', 'Nenosiri', 'Rudia nenosiri'],
  ],
] as const)(
  'who cannot register for a while reads so above the form, in %s, and keeps what they typed',
  async (language, sentence, submit, labels) => {
    server.use(http.post('*/api/users', switchedOff(sentence)));
    const { user } = await renderScreen('/register', { language });
    const texts = ['Asha', 'asha@example.com', '0712345678', 'tumaini la kesho', 'tumaini la kesho'];
    for (const [index, label] of labels.entries())
      await user.type(await screen.findByLabelText(label), texts[index] ?? '');
    await user.click(screen.getByRole('button', { name: submit }));
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
    expect(screen.getByLabelText(labels[1])).toHaveValue('asha@example.com');
  },
);

test('who cannot claim for a while reads so above the form, and keeps the answer', async () => {
  serveNothingElse();
  server.use(
    http.get('*/api/posts/:id', () => HttpResponse.json(aPost({ id: 'post-1', title: 'Pochi' }))),
    http.post('*/api/posts/:id/claims', switchedOff(en.switched_off)),
  );
  const { user } = await renderScreen('/posts/post-1/claim', { isSignedIn: true });
  await user.type(await screen.findByLabelText('Your answer'), 'Picha');
  await user.click(screen.getByRole('button', { name: 'Send to the finder' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(en.switched_off);
  expect(screen.getByLabelText('Your answer')).toHaveValue('Picha');
});
