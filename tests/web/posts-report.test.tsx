import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { aPost, refuse, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

beforeEach(serveNothingElse);

/** Serves one post, and keeps what is reported of it with its key. */
function serve(post = aPost(), answer = () => HttpResponse.json({ id: 'ripoti' }, { status: 201 })) {
  const sent: { body: unknown; key: string | null }[] = [];
  server.use(
    http.get('*/api/posts/:id', () => HttpResponse.json(post)),
    http.post('*/api/posts/:id/reports', async ({ request }) => {
      sent.push({ body: await request.json(), key: request.headers.get('Idempotency-Key') });
      return answer();
    }),
  );
  return sent;
}

async function openDialog(language?: 'sw') {
  const names = language
    ? { report: 'Ripoti tangazo', scam: 'Kuna mtu anayejaribu kutapeli watu', send: 'Tuma ripoti' }
    : { report: 'Report this post', scam: 'Somebody is trying to cheat people', send: 'Send the report' };
  const { user } = await renderScreen('/posts/post-x', { isSignedIn: true, ...(language && { language }) });
  await user.click(await screen.findByRole('button', { name: names.report }));
  const dialog = within(await screen.findByRole('dialog', { name: names.report }));
  return { user, dialog, names };
}

test('a post is reported once, however often the key is pressed', async () => {
  const sent = serve();
  const { user, dialog, names } = await openDialog();
  await user.click(dialog.getByRole('button', { name: names.send }));
  expect(dialog.getByRole('alert')).toHaveTextContent('Say what is wrong with this post.');
  expect(sent).toEqual([]);
  await user.click(dialog.getByRole('radio', { name: names.scam }));
  await user.type(dialog.getByRole('textbox', { name: /Say more/ }), 'Anadai pesa');
  await user.dblClick(dialog.getByRole('button', { name: names.send }));
  expect(await dialog.findByText('Thank you. The admins will look at this post.')).toBeInTheDocument();
  expect(sent.map(({ body }) => body)).toEqual([{ reason: 'scam', text: 'Anadai pesa' }]);
  await user.click(dialog.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByRole('button', { name: names.report })).toHaveFocus();
});

test('a report that got no answer is sent again under the same key', async () => {
  let isDown = true;
  const sent = serve(aPost(), () => (isDown ? HttpResponse.error() : HttpResponse.json({ id: 'r' }, { status: 201 })));
  const { user, dialog, names } = await openDialog();
  await user.click(dialog.getByRole('radio', { name: names.scam }));
  await user.click(dialog.getByRole('button', { name: names.send }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('There was no answer.');
  expect(dialog.getByRole('radio', { name: names.scam })).toBeChecked();
  isDown = false;
  await user.click(dialog.getByRole('button', { name: names.send }));
  expect(await dialog.findByText(/^Thank you/)).toBeInTheDocument();
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
});

test.each([
  [409, 'already_reported', /^Umeshaliripoti tangazo hili/],
  [429, 'too_many_requests', /Unaweza kuliripoti hili kesho/],
  [404, 'post_not_found', /^Halipo tena/],
] as const)('what %i %s means is said, in Swahili too', async (status, code, text) => {
  serve(aPost(), () => refuse(status, code, 'Halipo tena'));
  const { user, dialog, names } = await openDialog('sw');
  await user.click(dialog.getByRole('radio', { name: names.scam }));
  await user.click(dialog.getByRole('button', { name: names.send }));
  expect(await dialog.findByText(text)).toBeInTheDocument();
});

test('nobody is asked to report their own post', async () => {
  serve(aPost({ is_mine: true }));
  await renderScreen('/posts/post-x', { isSignedIn: true });
  await screen.findByRole('link', { name: 'Manage in My Posts' });
  expect(screen.queryByRole('button', { name: 'Report this post' })).toBeNull();
});

test('a visitor logs in first, and comes back', async () => {
  serve(aPost({ phone_number: null }));
  const { user, router } = await renderScreen('/posts/post-x?from=chat');
  await user.click(await screen.findByRole('link', { name: 'Report this post' }));
  expect(router.state.location).toMatchObject({ pathname: '/login', state: { from: '/posts/post-x?from=chat' } });
});

test.each([
  ['reports', 'scam', /Several people have reported.*trying to cheat people.*You can change your post/],
  ['admin', 'Ondoa namba', /An admin has hidden.*Reason: Ondoa namba.*You can change your post/],
  ['suspension', null, /your account is suspended.*Others see it again when/],
] as const)('the author of a post that %s hides reads why and what to do', async (by, reason, text) => {
  serve(aPost({ is_mine: true, is_hidden: true, hidden_by: [by], hidden_reason: reason }));
  await renderScreen('/posts/post-x', { isSignedIn: true });
  expect(await screen.findByText('Hidden')).toBeInTheDocument();
  expect(screen.getByRole('status', { name: '' })).toHaveTextContent(text);
  expect(screen.queryByRole('button', { name: 'Share' })).toBeNull();
});

test.each([
  ['en', ['Hidden because several people have reported it.', 'Hidden by the admins of its community.']],
  ['sw', ['Limefichwa kwa sababu watu kadhaa wameliripoti.', 'Limefichwa na wasimamizi wa jumuiya yake.']],
] as const)(
  'those who moderate a hidden post read in %s who hides it, and not what is said to its author',
  async (language, sentences) => {
    serve(aPost({ is_hidden: true, hidden_by: ['reports', 'community'], hidden_reason: 'scam' }));
    await renderScreen('/posts/post-x', { language, isSignedIn: true });
    expect(await screen.findByText(sentences[0])).toBeInTheDocument();
    const note = screen.getByText(sentences[0]).closest('ul') as HTMLElement;
    expect(
      within(note)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(sentences);
    expect(screen.queryByText(/You can change your post|Unaweza kubadilisha/)).toBeNull();
    expect(screen.queryByRole('button', { name: /Report this post|Ripoti tangazo/ })).toBeNull();
  },
);

test('a post that nobody hides says nothing of it', async () => {
  serve(aPost({ title: 'Funguo', hidden_by: ['reports'] }));
  await renderScreen('/posts/post-x', { isSignedIn: true });
  await screen.findByRole('heading', { level: 1, name: 'Funguo' });
  expect(screen.queryByText(/^Hidden/)).toBeNull();
});
