import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { ME } from './support/account.ts';
import { SCHOOL, serveOwn, serveSchool } from './support/communities.ts';
import { aPost, serveList, serveNothingElse } from './support/posts.ts';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const STAND = { id: 'stand', name: 'Stendi', description: '', member_count: 1, is_member: false, has_requested: false };
const OWNER = ["Owner's first name", "Owner's last name"];
const NUMBER = 'ID number, IMEI or plate number';

beforeEach(() => {
  serveNothingElse();
  serveSchool();
  serveOwn([SCHOOL]);
  serveList('/posts', []);
  serveList('/posts/by-owner', []);
  server.use(
    http.get('*/api/communities/approved', () => HttpResponse.json([STAND])),
    http.get('*/api/posts/:id', () => HttpResponse.json(aPost({ id: 'post-1' }))),
  );
});

/** What a form may be sent without, by the names of its fields. */
function optionalFields(): (string | undefined)[] {
  const names = [...document.querySelectorAll('label, legend')].map(({ textContent }) => textContent);
  return names.filter((name) => name.endsWith('(optional)')).map((name) => name.split(' (')[0]);
}

test.each([
  ['at the desk', '/communities/school/desk', 'Post and continue', ['Description', ...OWNER, 'Where is it now?']],
  ['in a community’s settings', '/community-details/school?tab=settings', 'Save', ['Description']],
  ['in a new community', '/communities', 'Create community', ['Description']],
  ['in a claim', '/posts/post-1/claim', 'Send to the finder', ['Another phone number']],
  ['in a post', '/create-post', 'Post item', ['Name on it', 'Description', 'Photos', NUMBER, 'Where is it now?']],
] as const)('%s it is said of each field that may stay empty, and of no other', async (_where, path, button, names) => {
  await renderScreen(path, { isSignedIn: true });
  await screen.findByRole('button', { name: button });
  expect(optionalFields()).toEqual(names);
});

test('a finder who wants to hear of it here need not ask anything, nor write down marks', async () => {
  const { user } = await renderScreen(
    { pathname: '/create-post', state: { posted_by: 'finder' } },
    { isSignedIn: true },
  );
  await user.click(await screen.findByRole('radio', { name: /^Through Patikana/ }));
  const asked = [expect.stringMatching(/^Your question to people/), expect.stringMatching(/^What only you have seen/)];
  expect(optionalFields()).toEqual(expect.arrayContaining(asked));
});

test('whoever asks to join need not say why', async () => {
  const { user } = await renderScreen('/communities/find', { isSignedIn: true });
  await user.click(await screen.findByRole('button', { name: 'Ask to join Stendi' }));
  expect(optionalFields()).toHaveLength(1);
});

test.each([
  ['/register', /^Phone number/, 'tel'],
  ['/register', 'Email', 'email'],
  ['/prove-number', /^Phone number/, 'tel'],
  ['/posts/post-1/claim', /^Another phone number/, 'tel'],
  ['/create-post', 'Phone number', 'tel'],
] as const)('on %s the keyboard of a phone has what %s is typed with', async (path, name, type) => {
  server.use(http.get('*/api/me', () => HttpResponse.json(ME)));
  await renderScreen(path, { isSignedIn: path !== '/register' });
  expect(await screen.findByRole('textbox', { name })).toHaveAttribute('type', type);
});
