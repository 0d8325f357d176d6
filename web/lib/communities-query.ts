import { queryOptions } from '@tanstack/react-query';
import type { Community } from '#contract/communities.ts';
import { api } from './api-client.ts';
import { queryKeys } from './query-keys.ts';

/** The reader's own communities, those that wait for approval included. For those who are signed in. */
export function ownCommunitiesQuery(search = '') {
  return queryOptions({
    queryKey: queryKeys.communities.own(search),
    queryFn: ({ signal }) => api('GET /communities', { query: { search }, signal }),
  });
}

/** What a post can be addressed to: approved communities by name; a suspended one is for its admins alone. */
export function toCommunityOptions(communities: Community[]): { code: string; name: string }[] {
  return communities
    .filter(
      ({ approval_status, is_suspended, member_role }) =>
        approval_status === 1 && (!is_suspended || member_role === 'admin'),
    )
    .map(({ community_code, name }) => ({ code: community_code, name }))
    .sort((left, right) => left.name.localeCompare(right.name));
}
