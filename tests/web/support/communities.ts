import { HttpResponse, http } from 'msw';
import type { AdminCommunity } from '#contract/admin.ts';
import type { Community, CommunityMember, CommunityPage, CommunityStats, JoinRequest } from '#contract/communities.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { server } from './setup.ts';

/** A community that the user runs. */
export const SCHOOL: CommunityPage = {
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
  is_suspended: false,
  suspension_reason: null,
  access_code: 'ABCDE23456',
  member_count: 2,
  admins: ['Neema'],
  waiting_requests: 0,
};

/** A community that waits for the decision of a platform admin, as platform admins see it. */
export const WAITING_SCHOOL: AdminCommunity = {
  id: 'school',
  name: 'Shule ya Msingi Mbezi',
  description: 'Wazazi na walimu',
  approval_status: 0,
  creator_username: 'Neema',
  member_count: 1,
  created_at: '2026-11-01T09:00:00.000Z',
  has_admin: true,
  closes_at: null,
  suspended_at: null,
  suspension_reason: null,
  pending_name: null,
  asker: {
    id: 'neema',
    username: 'Neema',
    created_at: '2026-10-01T09:00:00.000Z',
    is_number_proven: true,
    is_suspended: false,
    post_count: 2,
    reports_against: 0,
    reports_made: 0,
  },
  asker_whatsapp_number: '+255712345678',
  earlier_rejections: [],
};

export function aMember(overrides: Partial<CommunityMember> = {}): CommunityMember {
  return { user_id: '1', username: 'Neema', role: 'admin', joined_at: '2026-10-01T00:00:00.000Z', ...overrides };
}

export const MEMBERS: CommunityMember[] = [
  aMember(),
  aMember({ user_id: '2', username: 'Juma Hassan', role: 'member', joined_at: '2026-11-02T00:00:00.000Z' }),
];

/** The statistics of a community with two members and one post. */
export const STATS: CommunityStats = {
  total_members: 2,
  total_posts: 1,
  found_items: 1,
  lost_items: 0,
  resolved_posts: 0,
  active_posts: 1,
  posts_last_7_days: 1,
  most_active_location: null,
  admin_username: 'Neema',
};

export const REQUEST: JoinRequest = {
  user_id: '3',
  username: 'Rehema',
  message: 'Mimi ni mzazi wa darasa la pili.',
  created_at: '2026-11-20T00:00:00.000Z',
};

/** Answers `GET` requests for the community `school`, its members and its join requests. */
export function serveSchool(
  school: Partial<CommunityPage> = {},
  requests: JoinRequest[] = [],
  members = MEMBERS,
): void {
  server.use(
    http.get('*/api/communities/school', () => HttpResponse.json({ ...SCHOOL, ...school })),
    http.get('*/api/communities/school/members', () => HttpResponse.json(members)),
    http.get('*/api/communities/school/join-requests', () => HttpResponse.json(requests)),
  );
}

/** Answers every write request to the community `school` with the given response, and records the requests. */
export function noteSteps(answer: () => Response = () => new HttpResponse(null, { status: 204 })): unknown[] {
  const steps: unknown[] = [];
  const note = async ({ request }: { request: Request }) => {
    const path = new URL(request.url).pathname.replace('/api/communities/school', '');
    const text = await request.text();
    steps.push([request.method, path, ...(text ? [JSON.parse(text)] : [])]);
    return answer() as never;
  };
  for (const method of [http.post, http.put, http.patch, http.delete]) {
    server.use(method('*/api/communities/school', note), method('*/api/communities/school/*', note));
  }
  return steps;
}

/** Answers `GET /communities`, and records the searches. */
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

export function refuseWith(status: number, body: Partial<ErrorBody>) {
  return () => HttpResponse.json(body, { status });
}
