import { render } from '@testing-library/react';
import { HttpResponse, http, ws } from 'msw';
import { MemoryRouter } from 'react-router';
import type { Language } from '#contract/language.ts';
import type {
  CommunityDecisionMessage,
  LiveMessage,
  MatchingPostMessage,
  NoticesEndedFrame,
} from '#contract/live-messages.ts';
import { signInAs } from '#web/api/session.ts';
import { NoticeBell } from '#web/app/nav-bar.tsx';
import { changeLanguage } from '#web/lib/i18n.ts';
import { LiveNotices } from '#web/notices/live-notices.tsx';
import { ToastRegion } from '#web/ui/toast.tsx';
import { aPost } from './posts.ts';
import { startUser } from './render-screen.tsx';
import { server } from './setup.ts';

export const matchMessage: MatchingPostMessage = {
  type: 'matching_post',
  id: 'notice-1',
  pair_id: 'pair-1',
  confidence: 'sure',
  post_id: 'found-post',
  your_post_id: 'my-post',
  title: 'Found a NIDA card',
  location: 'Kariakoo',
  kept_at: null,
  owner_first_name: 'Neema',
  owner_last_name: 'Mwakyusa',
  phone_number: '0754321987',
  is_contact_limited: false,
  contact_opens_at: null,
  created_at: '2026-11-21T05:05:00.000Z',
  score: 0.9,
  reasons: [
    { kind: 'item', en: 'NIDA card', sw: 'kitambulisho cha NIDA' },
    { kind: 'name', en: 'Neema Mwakyusa', sw: 'Neema Mwakyusa' },
  ],
};

export const rejectionMessage: CommunityDecisionMessage = {
  type: 'community_rejected',
  id: 'notice-2',
  community_id: 'a-community',
  name: 'Shule ya Msingi',
  reason: 'Jina halieleweki.',
  created_at: '2026-11-21T05:05:00.000Z',
};

type Client = { send(data: string): void; close(code?: number): void };

/** Serves the WebSocket for live notices, and requests about notices. Records all except the GET requests. */
export function serveLive({ unread = 0 } = {}) {
  const heard = {
    tickets: 0,
    connections: [] as Client[],
    protocols: [] as unknown[],
    acknowledged: [] as string[],
    read: [] as unknown[],
    dismissed: [] as string[],
    dismissedPairs: [] as string[],
  };
  const link = ws.link('ws://localhost:8787/ws/:userId');
  server.use(
    http.post('*/api/realtime/ticket', () => {
      heard.tickets++;
      return HttpResponse.json({ ticket: `t${heard.tickets}`, expires_in: 30 });
    }),
    http.get('*/api/notices', () => HttpResponse.json({ unread_count: unread, notices: [] })),
    // Every post is the user's own, because a match notice is about a post of the user.
    http.get('*/api/posts/:id', ({ params }) => HttpResponse.json(aPost({ id: String(params.id), is_mine: true }))),
    http.post('*/api/notices/read', async ({ request }) => {
      heard.read.push(await request.json());
      return HttpResponse.json({ unread_count: 0 });
    }),
    http.post('*/api/notices/:id/dismiss', ({ params }) => {
      heard.dismissed.push(String(params.id));
      return new HttpResponse(null, { status: 204 });
    }),
    http.post('*/api/matches/:pairId/dismiss', ({ params }) => {
      heard.dismissedPairs.push(String(params.pairId));
      return new HttpResponse(null, { status: 204 });
    }),
    link.addEventListener('connection', ({ client, info }) => {
      heard.connections.push(client as Client);
      heard.protocols.push(info.protocols);
      client.addEventListener('message', ({ data }) => {
        if (data === 'ping') client.send('pong');
        else heard.acknowledged.push((JSON.parse(String(data)) as { id: string }).id);
      });
    }),
  );
  const push = (message: LiveMessage | NoticesEndedFrame | string) =>
    heard.connections.at(-1)?.send(typeof message === 'string' ? message : JSON.stringify(message));
  return { heard, push };
}

/** Renders the bell, the live notices and the toasts for a signed-in user who has chosen `language`. */
export async function renderLive({ language = 'en', path = '/' }: { language?: Language; path?: string } = {}) {
  await changeLanguage(language);
  signInAs({ token: 'a-token', userId: 'a-user' });
  const view = render(
    <MemoryRouter initialEntries={[path]}>
      <NoticeBell />
      <LiveNotices />
      <ToastRegion />
    </MemoryRouter>,
  );
  return { ...view, user: startUser() };
}
