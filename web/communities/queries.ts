import { queryOptions } from '@tanstack/react-query';
import type { Community } from '#contract/communities.ts';
import { api } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** The signed-in person's communities, including those that wait for approval. */
export function ownCommunitiesQuery(search = '') {
  return queryOptions({
    queryKey: queryKeys.communities.own(search),
    queryFn: ({ signal }) => api('GET /communities', { query: { search }, signal }),
  });
}

/**
 * Returns the communities in which the user can post, sorted by name. In a suspended community only its admins can
 * post.
 */
export function toCommunityOptions(communities: Community[]): { code: string; name: string }[] {
  return communities
    .filter(
      ({ approval_status, is_suspended, member_role }) =>
        approval_status === 1 && (!is_suspended || member_role === 'admin'),
    )
    .map(({ community_code, name }) => ({ code: community_code, name }))
    .sort((left, right) => left.name.localeCompare(right.name));
}
