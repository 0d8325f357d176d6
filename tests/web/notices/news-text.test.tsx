import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Language } from '#contract/language.ts';
import type { LiveMessage } from '#contract/live-messages.ts';
import type { HiddenBy } from '#contract/posts.ts';
import { renderLive, serveLive } from '#tests/web/support/notices.tsx';
import { renderScreen } from '#tests/web/support/render-screen.tsx';
import { server } from '#tests/web/support/setup.ts';

const AT = { id: 'news-1', created_at: '2026-11-21T05:05:00.000Z' };
const POST = { ...AT, post_id: 'my-post', title: 'Pochi ya ngozi' };
const COMMUNITY = { ...AT, community_id: 'school', name: 'Shule ya Mbezi' };
const CLAIM = { ...POST, claim_id: 'claim-1' };

/** Returns the card of the only notice in the list. */
async function readCard(message: LiveMessage, language: Language = 'en') {
  const notice = { message, noticed_at: AT.created_at, read_at: AT.created_at, is_open: true };
  server.use(http.get('*/api/notices', () => HttpResponse.json({ unread_count: 0, notices: [notice] })));
  await renderScreen('/notices', { language, isSignedIn: true });
  return within(await screen.findByRole('listitem'));
}

const restored: LiveMessage = { ...POST, type: 'post_restored', hidden_by: null, reason: null };
const looking: LiveMessage = { ...POST, type: 'still_looking' };
const standing = (type: 'account_suspended' | 'account_reinstated', reason: string | null): LiveMessage => ({
  ...AT,
  type,
  reason,
});
const reports = (waiting: number, is_overdue: boolean): LiveMessage => ({
  ...AT,
  type: 'reports_waiting',
  waiting,
  is_overdue,
});

test.each([
  ['post_restored', 'en', restored, 'Your post is shown again', /^It has been checked/],
  ['post_restored', 'sw', restored, 'Tangazo lako linaonyeshwa tena', /^Limekaguliwa/],
  ['still_looking', 'en', looking, 'Are you still looking?', /^Answer with one tap on your post/],
  ['still_looking', 'sw', looking, 'Bado unatafuta?', /^Jibu kwa mguso mmoja/],
] as const)(
  'a notice about a post shows the post’s title and a link: type %s, language %s',
  async (_type, language, message, title, text) => {
    const card = await readCard(message, language);
    expect(card.getByRole('heading', { level: 2, name: title })).toBeInTheDocument();
    expect(card.getByText(text)).toBeInTheDocument();
    expect(card.getByText('Pochi ya ngozi')).toHaveAttribute('dir', 'auto');
    const link = card.getByRole('link', { name: language === 'en' ? 'Open your post' : 'Fungua tangazo lako' });
    expect(link).toHaveAttribute('href', '/posts/my-post');
  },
);

test.each([
  ['reports', 'scam', 'en', [/^Several people have reported/, /trying to cheat people/, /^You can change your post/]],
  ['reports', 'scam', 'sw', [/^Watu kadhaa wameripoti/, /kutapeli watu/, /^Unaweza kulibadilisha/]],
  ['reports', 'Ondoa namba', 'en', [/^Several people/, 'Reason: Ondoa namba', /^You can change your post/]],
  ['community', 'Ondoa namba', 'en', [/^The admins of its community/, 'Reason: Ondoa namba', /^You can change/]],
  // A person's own words stay unchanged, even if they equal a predefined reason.
  ['admin', 'scam', 'en', [/^An admin has hidden/, 'Reason: scam', /^You can change your post/]],
  [null, null, 'en', [/^An admin has hidden/, /^You can change your post/]],
  ['suspension', 'Anatapeli', 'en', [/account is suspended/, /^Others see it again when/]],
  ['suspension', null, 'sw', [/akaunti yako imesimamishwa/, /^Wengine wataliona tena/]],
] as const)(
  'the notice of a post that is hidden (by: %s, reason: %s) says in the language %s what its author can do',
  async (by, reason, language, texts) => {
    const hidden_by: HiddenBy | null = by;
    const card = await readCard({ ...POST, type: 'post_hidden', hidden_by, reason }, language);
    const title = language === 'en' ? 'Your post is hidden' : 'Tangazo lako limefichwa';
    expect(card.getByRole('heading', { level: 2, name: title })).toBeInTheDocument();
    const said = card.getAllByText(/./, { selector: 'p' }).map(({ textContent }) => textContent ?? '');
    expect(said).toEqual(['Pochi ya ngozi', ...texts.map((text) => expect.stringMatching(text))]);
    expect(card.getByRole('link')).toHaveAttribute('href', '/posts/my-post');
  },
);

test.each([
  [
    'account_suspended',
    'en',
    standing('account_suspended', 'Anatapeli'),
    'Your account is suspended',
    [/^You can still read everything/, 'Reason: Anatapeli'],
  ],
  [
    'account_suspended',
    'sw',
    standing('account_suspended', null),
    'Akaunti yako imesimamishwa',
    [/^Bado unaweza kusoma/],
  ],
  [
    'account_reinstated',
    'sw',
    standing('account_reinstated', 'Samahani'),
    'Akaunti yako imefunguliwa tena',
    [/^Unaweza kutangaza tena/, 'Sababu: Samahani'],
  ],
  [
    'account_reinstated',
    'en',
    standing('account_reinstated', null),
    'Your account is open again',
    [/^You can post again as before/],
  ],
] as const)(
  'the notice of an account’s suspension or reinstatement shows the reason, if there is one: type %s, language %s',
  async (_type, language, message, title, texts) => {
    const card = await readCard(message, language);
    expect(card.getByRole('heading', { level: 2, name: title })).toBeInTheDocument();
    const said = card.getAllByText(/./, { selector: 'p' }).map(({ textContent }) => textContent ?? '');
    expect(said).toEqual(texts.map((text) => expect.stringMatching(text)));
    expect(card.queryByRole('link')).toBeNull();
  },
);

test.each([
  [1, 'en', reports(1, false), '1 reported post is waiting for a decision.'],
  [3, 'en', reports(3, true), '3 reported posts are waiting for a decision, the oldest for more than two days.'],
  [3, 'sw', reports(3, false), 'Matangazo 3 yaliyoripotiwa yanasubiri uamuzi.'],
  [1, 'sw', reports(1, true), 'Tangazo 1 lililoripotiwa limesubiri uamuzi kwa zaidi ya siku mbili.'],
] as const)(
  'a platform admin’s notice says how many cases wait and for how long: %i cases, in the language %s',
  async (_count, language, message, text) => {
    const card = await readCard(message, language);
    expect(card.getByText(text)).toBeInTheDocument();
    const [title, open] =
      language === 'en'
        ? ['Reported posts are waiting', 'Open the reports']
        : ['Matangazo yaliyoripotiwa yanasubiri', 'Fungua ripoti'];
    expect(card.getByRole('heading', { level: 2, name: title })).toBeInTheDocument();
    expect(card.getByRole('link', { name: open })).toHaveAttribute('href', '/admin?tab=reports');
  },
);

test.each([
  ['claim_received', /^They have written what they know/, /^Ameandika anachokijua/],
  ['claim_asked', /^They want to be sure/, /^Anataka/],
  ['claim_replied', /^Compare the reply/, /^Linganisha jibu/],
  ['claim_accepted', /^You now see each other’s numbers/, /^Sasa kila mmoja anaona namba/],
  ['claim_declined', /^This claim is over/, /^Dai hili limeisha/],
  ['claim_withdrawn', /has withdrawn the claim/, /ameondoa dai lake/],
  ['claim_closed', /your claim is closed/, /dai lako limefungwa/],
  ['handed_over', /^The hand-over is complete/, /^Makabidhiano yamekamilika/],
] as const)(
  'the notice of type %s explains the event, and names the post unless the post has no title',
  async (type, english, swahili) => {
    const card = await readCard({ ...CLAIM, type });
    expect(card.getByText(english)).toBeInTheDocument();
    expect(card.getByText('Pochi ya ngozi')).toHaveAttribute('dir', 'auto');
    expect(card.getByRole('link', { name: 'Open the claim' })).toHaveAttribute('href', '/claims/claim-1');
    cleanup();
    const untitled = await readCard({ ...CLAIM, id: 'news-2', title: '', type }, 'sw');
    expect(untitled.getByText(swahili)).toBeInTheDocument();
    expect(untitled.getAllByText(/./, { selector: 'p' })).toHaveLength(1);
  },
);

test.each([
  [
    'community_approved',
    undefined,
    null,
    ['Shule ya Mbezi has been approved. You can share its access code and start posting.'],
    true,
  ],
  ['community_rejected', undefined, 'Si jina', ['Shule ya Mbezi was not approved.', 'Reason: Si jina'], false],
  ['community_approved', 'Shule', null, ['“Shule” is now called “Shule ya Mbezi”.'], true],
  [
    'community_rejected',
    'Shule',
    null,
    ['The community keeps its name “Shule”: “Shule ya Mbezi” was not approved.'],
    false,
  ],
] as const)(
  'a notice explains the decision about a new community or about a community’s new name: type %s, former name %s',
  async (type, former_name, reason, texts, isOpen) => {
    const card = await readCard({ ...COMMUNITY, type, reason, ...(former_name && { former_name }) });
    const said = card.getAllByText(/./, { selector: 'p' }).map(({ textContent }) => textContent);
    expect(said).toEqual(texts);
    const addresses = card.queryAllByRole('link').map((link) => link.getAttribute('href'));
    expect(addresses).toEqual(isOpen ? ['/community-details/school'] : []);
  },
);

test('if the closing date is unknown, the notice that a community will close shows the notice’s own date instead', async () => {
  const card = await readCard({ ...COMMUNITY, type: 'community_closing', closes_at: null });
  expect(card.getByText(/closes on 21 November 2026/)).toBeInTheDocument();
});

test.each([
  ['community_without_admin', 'Jumuiya haina msimamizi', /^Msimamizi pekee wa Shule ya Mbezi/, 'Chagua msimamizi'],
  ['join_request', 'Kuna mtu anaomba kujiunga', /anaomba kujiunga na “Shule ya Mbezi”/, 'Tazama anayeomba'],
  ['join_accepted', 'Umekubaliwa kujiunga', /mwanachama wa “Shule ya Mbezi”/, 'Fungua jumuiya'],
] as const)('in Swahili the notice of type %s names the community', async (type, title, text, open) => {
  const card = await readCard({ ...COMMUNITY, type }, 'sw');
  expect(card.getByRole('heading', { level: 2, name: title })).toBeInTheDocument();
  expect(card.getByText(text)).toBeInTheDocument();
  expect(card.getByRole('link', { name: open })).toBeInTheDocument();
});

async function showLive(message: LiveMessage) {
  const { heard, push } = serveLive();
  const view = await renderLive();
  await waitFor(() => expect(heard.connections).toHaveLength(1));
  push(message);
  return { ...view, heard, push, modal: within(await screen.findByRole('dialog')) };
}

test('opening the link in a notice closes the notice and marks it as read', async () => {
  const { user, heard, modal } = await showLive({ ...restored, id: 'live-1' });
  await user.click(modal.getByRole('link', { name: 'Open your post' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(heard.read).toEqual([{ ids: ['live-1'] }]));
});

test('“Next” closes a notice and opens the next notice; the last notice has the button “Close” instead', async () => {
  const { user, heard, push, modal } = await showLive({ ...standing('account_reinstated', null), id: 'live-2' });
  push({ ...looking, id: 'live-3' });
  push({ ...restored, id: 'live-4' });
  expect(await modal.findByText('2 more notices are waiting')).toHaveAttribute('role', 'status');
  await user.click(modal.getByRole('button', { name: 'Next' }));
  const second = await screen.findByRole('dialog', { name: 'Are you still looking?' });
  expect(within(second).getByText('1 more notice is waiting')).toBeInTheDocument();
  await user.click(within(second).getByRole('button', { name: 'Next' }));
  const third = within(await screen.findByRole('dialog', { name: 'Your post is shown again' }));
  expect(third.queryByRole('button', { name: 'Next' })).toBeNull();
  await user.click(third.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(heard.read).toEqual([{ ids: ['live-2'] }, { ids: ['live-3'] }, { ids: ['live-4'] }]);
});

test('a notice without a link has a second button “Close”, which closes the notice', async () => {
  const { user, modal } = await showLive({ ...standing('account_suspended', 'Anatapeli'), id: 'live-5' });
  const buttons = modal.getAllByRole('button', { name: 'Close' });
  expect(buttons).toHaveLength(2);
  await user.click(buttons[1] as HTMLElement);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('“It was not me” on the notice of a changed password leads to the password reset and closes the notice', async () => {
  const { user, modal, heard } = await showLive({ ...AT, id: 'live-6', type: 'password_changed' });
  const link = modal.getByRole('link', { name: 'It was not me' });
  expect(link).toHaveAttribute('href', '/forgot-password');
  expect(modal.getByText(/^A new password was set with a verification code/)).toBeInTheDocument();
  await user.click(link);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(heard.read).toEqual([{ ids: ['live-6'] }]));
});

const suspended = { ...COMMUNITY, type: 'community_suspended', reason: 'Utapeli' } as const;
const reinstated = { ...COMMUNITY, type: 'community_reinstated', reason: null } as const;
const paused = { ...CLAIM, type: 'claim_paused' } as const;

test.each([
  ['en', suspended, 'Your community is suspended', 'Reason: Utapeli', '/community-details/school'],
  ['sw', suspended, 'Jumuiya yako imesimamishwa', 'Sababu: Utapeli', '/community-details/school'],
  ['en', reinstated, 'Your community is open again', /^“Shule ya Mbezi” is open again/, '/community-details/school'],
  ['sw', reinstated, 'Jumuiya yako imefunguliwa tena', /^Jumuiya “Shule ya Mbezi”/, '/community-details/school'],
  ['en', paused, 'Your claim is paused', /Your claim continues when the post is shown again/, '/claims/claim-1'],
  ['sw', paused, 'Dai lako limesitishwa', /Dai lako litaendelea/, '/claims/claim-1'],
] as const)(
  'a notice has a heading, a text and a link: language %s, notice %o',
  async (language, message, title, text, path) => {
    const card = await readCard(message, language);
    expect(card.getByRole('heading', { level: 2, name: title })).toBeInTheDocument();
    expect(card.getByText(text)).toBeInTheDocument();
    expect(card.getByRole('link')).toHaveAttribute('href', path);
  },
);
