import { HttpResponse, http } from 'msw';
import type { AdminPerson, AdminPost, PlatformAdmin } from '#contract/admin.ts';
import type { Language } from '#contract/language.ts';
import type { KnownPerson, LogEntry, ReportedPost } from '#contract/moderation.ts';
import type { QueuedCase } from '#web/admin/api.ts';
import { aPost } from './posts.ts';
import { renderScreen } from './render-screen.tsx';
import { server } from './setup.ts';

/** A person without any activity, as admins see them. */
export const JUMA: KnownPerson = {
  id: 'juma',
  username: 'Juma',
  created_at: '2026-11-01T09:00:00.000Z',
  is_number_proven: false,
  is_suspended: false,
  post_count: 3,
  reports_against: 2,
  reports_made: 0,
};

export const ASHA: KnownPerson = { ...JUMA, id: 'asha', username: 'Asha', reports_against: 0, reports_made: 1 };

export const AN_ADMIN: PlatformAdmin = {
  id: 'asha',
  username: 'Asha',
  email: 'asha@example.com',
  is_suspended: false,
  granted_at: '2026-11-01T09:00:00.000Z',
};

/** Serves Juma's page. */
export function aPerson(overrides: Partial<AdminPerson> = {}): AdminPerson {
  return {
    ...JUMA,
    email: 'juma@example.com',
    whatsapp_number: '+255712345678',
    is_platform_admin: false,
    suspended_at: null,
    suspension_reason: null,
    posts: [],
    reports: [],
    log: [],
    ...overrides,
  };
}

export function aPostPage(overrides: Partial<AdminPost> = {}): AdminPost {
  return { post: aPost({ title: 'Simu kwa bei nafuu' }), author: JUMA, reports: [], log: [], ...overrides };
}

let entries = 0;

/** A log entry: by default, Neema has just taken this action on Juma. */
export function aLogEntry(overrides: Partial<LogEntry> = {}): LogEntry {
  return {
    id: `entry-${++entries}`,
    actor_id: 'neema',
    actor_name: 'Neema',
    action: 'suspend',
    target_type: 'user',
    target_id: 'juma',
    target_name: 'Juma',
    reason: null,
    created_at: new Date().toISOString(),
    ...overrides,
  };
}

export const REPORT: ReportedPost['reports'][number] = {
  reason: 'scam',
  text: 'Anadai pesa',
  reporter_id: 'asha',
  // The current time at the call: a fixed time would look old in a file that loads minutes later.
  get created_at() {
    return new Date().toISOString();
  },
  claim: null,
};

/** Juma's post, which Asha reports. */
export function aCase(overrides: Partial<QueuedCase> = {}): QueuedCase {
  return {
    id: 'kesi',
    status: 'open',
    since: new Date().toISOString(),
    post: aPost({ title: 'Simu kwa bei nafuu' }),
    author: JUMA,
    is_edited: false,
    reports: [REPORT],
    reporters: [ASHA],
    decision: null,
    decided_at: null,
    ...overrides,
  };
}

export function minutesAgo(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString();
}

/** The user is the only platform admin. */
export function serveAdmin(): void {
  server.use(
    http.get('*/api/me', () => HttpResponse.json({ id: 'a-user', username: 'Neema', is_platform_admin: true })),
    http.get('*/api/admin/admins', () => HttpResponse.json([{ ...AN_ADMIN, id: 'a-user', username: 'Neema' }])),
  );
}

/** Answers a list of `/admin` page by page. @returns the queries. */
export function servePages(path: string, ...pages: unknown[][]): URLSearchParams[] {
  const queries: URLSearchParams[] = [];
  server.use(
    http.get(`*/api/admin/${path}`, ({ request }) => {
      const query = new URL(request.url).searchParams;
      queries.push(query);
      const index = Number(query.get('cursor') ?? 0);
      const hasMore = index + 1 < pages.length;
      return HttpResponse.json((pages[index] ?? []) as never, {
        headers: hasMore ? { Link: `</api/admin/${path}?cursor=${index + 1}>; rel="next"` } : {},
      });
    }),
  );
  return queries;
}

/** @param search the address's query: the tab, the person or the post. */
export function openAdmin(search: string, language: Language = 'en') {
  return renderScreen(`/admin${search}`, { isSignedIn: true, language });
}
