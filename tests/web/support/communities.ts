import { HttpResponse, http } from 'msw';
import type { Community } from '#contract/communities.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { server } from './setup.ts';

/** A community that its reader runs. */
export const SCHOOL: Community = {
  id: 'school',
  name: 'Shule ya Msingi Mbezi',
  description: 'Wazazi na walimu',
  community_code: 'MBEZ2345',
  member_role: 'admin',
  approval_status: 1,
  created_at: '2026-11-01T09:00:00.000Z',
  is_listed: true,
  pending_name: null,
  closes_at: null,
  access_code: 'ABCDE23456',
};

/** Answers `GET /communities`, and keeps the searches. */
export function serveOwn(communities: Community[]): string[] {
  const searches: string[] = [];
  server.use(
    http.get('*/api/communities', ({ request }) => {
      const search = new URL(request.url).searchParams.get('search') ?? '';
      searches.push(search);
      return HttpResponse.json(communities.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase())));
    }),
  );
  return searches;
}

export function refuse(status: number, body: Partial<ErrorBody>) {
  return () => HttpResponse.json(body, { status });
}
