import { DAY_MS, HOUR_MS } from '#contract/durations.ts';
import { POST_KINDS, POSTED_BY } from '#contract/post-kinds.ts';
import type { PostFilter } from './query-keys.ts';

/** How far back a list may be narrowed to, in days. */
export const DAYS = [1, 7, 30] as const;

/** The filters' parameters in the address; the search and the community have controls of their own. */
export const FILTER_PARAMS = ['posted_by', 'kind', 'place', 'days', 'open'] as const;
export type FilterParam = (typeof FILTER_PARAMS)[number];

/** Africa/Dar_es_Salaam, which knows no summer time. */
const LOCAL_OFFSET_MS = 3 * HOUR_MS;

/** What the address says; what it says wrongly it does not say. */
export function readFilter(params: URLSearchParams): PostFilter {
  const days = Number(params.get('days'));
  return {
    search: params.get('search') ?? '',
    communityCode: params.get('community_code'),
    postedBy: POSTED_BY.find((one) => one === params.get('posted_by')) ?? null,
    kind: POST_KINDS.find((one) => one === params.get('kind')) ?? null,
    place: params.get('place') ?? '',
    days: DAYS.find((one) => one === days) ?? null,
    isOpenOnly: params.get('open') === '1',
  };
}

/** Whether two filters differ in no more than this. */
export function isSameBut(name: keyof PostFilter, one: PostFilter, other: PostFilter): boolean {
  return Object.keys({ ...one, ...other }).every(
    (key) => key === name || one[key as keyof PostFilter] === other[key as keyof PostFilter],
  );
}

/** How many of the filters behind the button leave something out. */
export function countFilters({ postedBy, kind, place, days }: PostFilter): number {
  return [postedBy, kind, place, days].filter(Boolean).length;
}

/** The filter as the API takes it. */
export function toListQuery(filter: PostFilter, now = Date.now()) {
  return {
    search: filter.search,
    community_code: filter.communityCode,
    posted_by: filter.postedBy,
    kind: filter.kind,
    place: filter.place,
    since: filter.days && dayInTanzania(now - (filter.days - 1) * DAY_MS),
    open: filter.isOpenOnly ? '1' : null,
  };
}

/** As 2026-11-22. */
function dayInTanzania(time: number): string {
  return new Date(time + LOCAL_OFFSET_MS).toISOString().slice(0, '2026-11-22'.length);
}
