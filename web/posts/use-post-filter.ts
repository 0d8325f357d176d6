import type { PostFilter } from '#web/lib/query-keys.ts';
import { useTypedParam } from '#web/lib/use-typed-param.ts';

/** What the list is narrowed to, as the address says. */
export function usePostFilter() {
  const { params, settled: search, typed, setTyped, write } = useTypedParam('search');
  const communityCode = params.get('community_code');
  return {
    filter: { search, communityCode } satisfies PostFilter,
    typed,
    setTyped,
    setCommunityCode: (code: string | null) => write('community_code', code ?? '', false),
  };
}
