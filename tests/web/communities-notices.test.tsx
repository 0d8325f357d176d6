import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { LiveMessage } from '#contract/live-messages.ts';
import { renderLive, serveLive } from './support/live.tsx';
import { renderScreen } from './support/render-screen.tsx';
import { server } from './support/setup.ts';

const of = { id: 'n1', community_id: 'school', name: 'Shule ya Mbezi', created_at: '2026-11-21T05:05:00.000Z' };
const closes_at = '2026-11-29T09:00:00.000Z';

async function readNotice(message: LiveMessage, language: 'en' | 'sw') {
  const notice = { message, noticed_at: of.created_at, read_at: of.created_at, is_open: true };
  server.use(http.get('*/api/notices', () => HttpResponse.json({ unread_count: 0, notices: [notice] })));
  await renderScreen('/notices', { language, isSignedIn: true });
}

test.each([
  ['join_request', 'en', 'Somebody asks to join', 'See who asks', '/community-details/school?tab=members'],
  ['join_request', 'sw', 'Kuna mtu anaomba kujiunga', 'Tazama anayeomba', '/community-details/school?tab=members'],
  ['join_accepted', 'en', 'You have been accepted', 'Open the community', '/communities/school'],
  ['join_accepted', 'sw', 'Umekubaliwa kujiunga', 'Fungua jumuiya', '/communities/school'],
  [
    'community_without_admin',
    'en',
    'A community has no admin',
    'Choose an admin',
    '/admin?tab=approved&search=Shule+ya+Mbezi',
  ],
] as const)('a notice %s in %s leads to where it is about', async (type, language, title, link, address) => {
  await readNotice({ ...of, type }, language);
  const card = within((await screen.findByText(title)).closest('li') as HTMLElement);
  expect(card.getByText(/Shule ya Mbezi/)).toBeInTheDocument();
  expect(card.getByRole('link', { name: link })).toHaveAttribute('href', address);
});

test.each([
  ['community_closing', 'en', closes_at, /“Shule ya Mbezi” closes on 29 November 2026/],
  ['community_closing', 'sw', closes_at, /“Shule ya Mbezi” itafungwa tarehe 29 Novemba 2026/],
  ['community_reopened', 'en', null, /“Shule ya Mbezi” does not close after all/],
  ['community_reopened', 'sw', null, /“Shule ya Mbezi” haifungwi tena/],
] as const)('a notice %s in %s says it with the date', async (type, language, time, sentence) => {
  await readNotice({ ...of, type, closes_at: time }, language);
  const card = within((await screen.findByText(sentence)).closest('li') as HTMLElement);
  expect(card.getByRole('link')).toHaveAttribute('href', '/communities/school');
});

test.each([
  ['community_approved', null, 'Your community has its new name', '“Shule ya zamani” is now called “Shule ya Mbezi”.'],
  ['community_rejected', 'Si jina', 'The new name was not approved', 'Reason: Si jina'],
] as const)('a notice %s of a new name is not one of the community', async (type, reason, title, sentence) => {
  await readNotice({ ...of, type, reason, former_name: 'Shule ya zamani' }, 'en');
  const card = within((await screen.findByText(title)).closest('li') as HTMLElement);
  expect(card.getByText(sentence)).toBeInTheDocument();
});

const closing = { type: 'community_closing', closes_at } as const;
const suspended = { type: 'community_suspended', reason: 'Utapeli' } as const;

test.each([
  ['/communities/school', closing],
  ['/communities/school/desk', closing],
  ['/community-details/school', closing],
  ['/community-details/school', suspended],
] as const)('its own page at %s replaces the dialog of the notice %o', async (path, message) => {
  const { heard, push } = serveLive();
  await renderLive({ path });
  await waitFor(() => expect(heard.connections).toHaveLength(1));
  push({ ...of, ...message });
  await waitFor(() => expect(heard.read).toEqual([{ ids: ['n1'] }]));
  expect(screen.queryByRole('dialog')).toBeNull();
  push({ ...of, ...message, id: 'n2', community_id: 'mosque' });
  expect(await screen.findByRole('dialog')).toBeInTheDocument();
});
