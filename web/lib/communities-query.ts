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

/** What a post can be addressed to: the communities that have been approved, by name. */
export function toCommunityOptions(communities: Community[]): { code: string; name: string }[] {
  return communities
    .filter((community) => community.approval_status === 1)
    .map(({ community_code, name }) => ({ code: community_code, name }))
    .sort((left, right) => left.name.localeCompare(right.name));
}
