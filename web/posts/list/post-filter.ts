import { DAY_MS, HOUR_MS } from '#contract/durations.ts';
import { POST_KINDS, POSTED_BY } from '#contract/kinds.ts';
import { IDENTIFIER_MIN_DIGITS, IDENTIFIER_TYPED_MAX_CHARS } from '#contract/limits.ts';
import type { Post } from '#contract/posts.ts';
import { isIdentifier } from '#contract/typed-numbers.ts';
import type { PostFilter } from '#web/api/query-keys.ts';
import { useTypedParam } from '#web/lib/address.ts';

export const DAYS = [1, 7, 30] as const;

/** The filters' parameters in the address. The search and the community are set outside the filter panel. */
const FILTER_PARAMS = ['posted_by', 'kind', 'place', 'days', 'open', 'exact'] as const;
export type FilterParam = (typeof FILTER_PARAMS)[number];

/** Tanzania's offset from UTC: Africa/Dar_es_Salaam has no daylight saving time. */
const LOCAL_OFFSET_MS = 3 * HOUR_MS;

/** Reads the filter from the URL. Ignores invalid values. */
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
    isExact: params.get('exact') === '1',
  };
}

/** Whether two filters are equal apart from this field. */
export function isSameBut(name: keyof PostFilter, one: PostFilter, other: PostFilter): boolean {
  return Object.keys({ ...one, ...other }).every(
    (key) => key === name || one[key as keyof PostFilter] === other[key as keyof PostFilter],
  );
}

/** Counts the active filters in the panel, for the button that opens it. */
export function countFilters({ postedBy, kind, place, days, isExact }: PostFilter): number {
  return [postedBy, kind, place, days, isExact].filter(Boolean).length;
}

/** Returns the filter as the API's query. */
export function toListQuery(filter: PostFilter, now = Date.now()) {
  return {
    search: filter.search,
    community_code: filter.communityCode,
    posted_by: filter.postedBy,
    kind: filter.kind,
    place: filter.place,
    since: filter.days && dayInTanzania(now - (filter.days - 1) * DAY_MS),
    open: filter.isOpenOnly ? '1' : null,
    exact: filter.isExact && filter.search.trim() ? '1' : null,
  };
}

/**
 * Returns the navigation state that fills the form of a lost post with the search text. An identifier goes into the
 * field for identifiers, because everybody can read the title.
 */
export function toLostPost(typed: string, place: string) {
  const search = typed.trim();
  const thing = looksLikeIdentifier(search) ? { identifier: search } : { title: search };
  return { posted_by: 'owner', location: place, ...thing };
}

/**
 * Whether the text looks like an identifier: enough digits and no word. `isIdentifier` alone would accept words,
 * because it reads letters as digits.
 */
export function looksLikeIdentifier(typed: string): boolean {
  const digits = typed.replace(/\D/g, '').length;
  const hasWord = /(^|\s)\p{L}{4,}(?=\s|$)/u.test(typed);
  return (
    digits >= IDENTIFIER_MIN_DIGITS && !hasWord && typed.length <= IDENTIFIER_TYPED_MAX_CHARS && isIdentifier(typed)
  );
}

/** Returns the date in Tanzania at the given time, such as 2026-11-22. */
function dayInTanzania(time: number): string {
  return new Date(time + LOCAL_OFFSET_MS).toISOString().slice(0, '2026-11-22'.length);
}

const NO_FILTERS = Object.fromEntries(FILTER_PARAMS.map((param) => [param, '']));

/** Returns the filter in the address, with functions that change it. */
export function usePostFilter() {
  const { params, typed, setTyped, write } = useTypedParam('search');
  return {
    filter: readFilter(params),
    typed,
    setTyped,
    setParam: (param: string, value: string) => write({ [param]: value }, false),
    clear: () => write(NO_FILTERS, false),
  };
}

/**
 * Whether a loaded post contains every typed word in its title, the owner's names or the location, ignoring case
 * (docs/product.md S4). Filters the list until the server's response arrives.
 */
export function matchesTyped(post: Post, typed: string): boolean {
  const text = [post.title, post.owner_first_name, post.owner_last_name, post.location].join('\n').toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
