import { useQuery } from '@tanstack/react-query';
import { EXCLUDED_COUNTED_MAX } from '#contract/limits.ts';
import type { Excluded, ListFilter } from '#contract/posts.ts';
import { countFilters, type FilterParam, PARAM_OF } from '#web/lib/post-filter.ts';
import { excludedOptions } from '#web/lib/post-list-query.ts';
import type { PostFilter } from '#web/lib/query-keys.ts';
import { useSession } from '#web/lib/session.ts';
import { useTranslation } from '#web/lib/use-translation.ts';
import { Button } from './button.tsx';

type Props = {
  filter: PostFilter;
  /** Lets go of one filter, by its parameter of the address. */
  onChange: (param: FilterParam | 'search', value: string) => void;
};

/** Of a list that is empty: which filter leaves out the most, and the way to let go of it. */
export function BlamedFilter({ filter, onChange }: Props) {
  const viewerId = useSession()?.userId ?? null;
  const { data } = useQuery(excludedOptions(viewerId, filter));
  return (
    <div role="status" className="grid justify-items-center gap-3 empty:hidden">
      {data && <Blame filter={filter} excluded={data} onChange={onChange} />}
    </div>
  );
}

function Blame({ filter, excluded, onChange }: Props & { excluded: Excluded }) {
  const { t } = useTranslation('filters');
  const nameOf = useNames(filter);
  const [name, count] = findWorst(excluded, filter);
  if (count === 0) return countFilters(filter) > 1 ? <p className="text-muted">{t('noneAlone')}</p> : null;
  const isMany = count >= EXCLUDED_COUNTED_MAX;
  if (name === 'open') {
    return (
      <>
        <p className="text-muted">{t(isMany ? 'returnedHiddenMany' : 'returnedHidden', { count })}</p>
        <Button look="secondary" onClick={() => onChange('returned', '1')}>
          {t('showReturned')}
        </Button>
      </>
    );
  }
  return (
    <>
      <p className="text-muted">{t(isMany ? 'leavesOutMany' : 'leavesOutMost', { count, filter: nameOf(name) })}</p>
      <Button look="secondary" onClick={() => onChange(PARAM_OF[name], '')}>
        {t('letGo')}
      </Button>
    </>
  );
}

/** Of what narrows the list; a search by itself is what was asked for. */
function findWorst({ search, ...others }: Excluded, filter: PostFilter): [ListFilter, number] {
  const blamed = countFilters(filter) === 0 ? others : { search, ...others };
  const counts = Object.entries(blamed) as [ListFilter, number][];
  return counts.reduce((worst, one) => (one[1] > worst[1] ? one : worst), ['open', 0]);
}

/** Each filter as whoever set it knows it. */
function useNames({ search, postedBy, kind, place, days }: PostFilter) {
  const { t } = useTranslation(['filters', 'things']);
  return (name: Exclude<ListFilter, 'open'>): string => {
    if (name === 'posted_by') return t(postedBy === 'owner' ? 'lost' : 'pickedUp');
    if (name === 'kind') return kind ? t(`things:kinds.${kind}`) : '';
    if (name === 'since') return t(`times.${days ?? 'all'}`);
    return name === 'place' ? place : search;
  };
}
