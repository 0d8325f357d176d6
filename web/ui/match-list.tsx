import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { PostMatch } from '#contract/posts.ts';
import { matchCountsQuery, matchesQuery } from '#web/lib/matches-query.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { useFailure } from '#web/lib/use-failure.ts';
import { Banner } from './banner.tsx';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';
import { LoadFailure } from './load-failure.tsx';
import { MatchItem } from './match-item.tsx';

/**
 * "3 possible matches" on a card of one's own post: a button that opens them, and nothing while there are none.
 * All counts of a page come from one request, so put one on every card.
 * @param onEmptied the dialog is closed, and the button is gone with the last match: the focus has to go elsewhere.
 */
export function MatchCount({ postId, onEmptied }: { postId: string; onEmptied: () => void }) {
  const { t } = useTranslation('notices');
  const [isOpen, setIsOpen] = useState(false);
  const count = useQuery(matchCountsQuery).data?.[postId] ?? 0;
  if (count === 0 && !isOpen) return null;

  function close() {
    flushSync(() => setIsOpen(false));
    if (count === 0) onEmptied();
  }

  return (
    <>
      <button
        type="button"
        className="flex min-h-11 w-full items-center justify-center gap-2 rounded-xl bg-found-soft px-4 py-2 font-semibold text-found"
        onClick={() => setIsOpen(true)}
      >
        <Icon name="sparkle" />
        {t('matchCount', { count })}
      </button>
      {isOpen && (
        <Dialog title={t('matchesTitle')} onClose={close}>
          <MatchList postId={postId} isAsked />
        </Dialog>
      )}
    </>
  );
}

/**
 * The posts that match one's own, sure ones first, best first.
 * @param isAsked whether the reader came for it: then it also says that there is nothing, or that it cannot be had.
 */
export function MatchList({ postId, isAsked = false }: { postId: string; isAsked?: boolean }) {
  const { t } = useTranslation('notices');
  const query = useQuery(matchesQuery(postId));
  const failure = useFailure(query);

  if (failure && isAsked) {
    return <LoadFailure title={t('matchesFailed')} query={query} />;
  }
  if (query.isPending) return <Skeleton />;
  return query.data ? <Matches postId={postId} matches={query.data} isAsked={isAsked} /> : null;
}

function Matches({ postId, matches, isAsked }: { postId: string; matches: PostMatch[]; isAsked: boolean }) {
  const { t } = useTranslation('notices');
  const client = useQueryClient();
  const region = useRef<HTMLElement>(null);
  /** What was said of the card that left, to stand in its place. */
  const [result, setResult] = useState<{ index: number; sentence: string } | null>(null);
  if (matches.length === 0 && result === null && !isAsked) return null;

  function remove(pairId: string, index: number, sentence: string) {
    // What was pressed goes with its card.
    region.current?.focus({ preventScroll: true });
    setResult({ index, sentence });
    client.setQueryData(matchesQuery(postId).queryKey, (known) => known?.filter(({ pair_id }) => pair_id !== pairId));
    // Known before it is read anew: the dialog may be closed before that.
    client.setQueryData(matchCountsQuery.queryKey, (known) => known && { ...known, [postId]: matches.length - 1 });
    void client.invalidateQueries({ queryKey: matchCountsQuery.queryKey });
    void client.invalidateQueries({ queryKey: queryKeys.notices });
  }

  const cards = matches.map((match, index) => (
    <MatchItem key={match.pair_id} match={match} onGone={(sentence) => remove(match.pair_id, index, sentence)} />
  ));
  if (result) cards.splice(result.index, 0, <Result key="result" sentence={result.sentence} />);
  return (
    <section ref={region} tabIndex={-1} aria-label={t('matchesTitle')} className="grid gap-3 outline-none">
      <p className="text-muted" role="status">
        {matches.length > 0 ? t('matchCount', { count: matches.length }) : t(result ? 'noMatchesLeft' : 'noMatches')}
      </p>
      <ul className="grid gap-3">{cards}</ul>
    </section>
  );
}

function Result({ sentence }: { sentence: string }) {
  return (
    <li>
      <Banner tone="success">{sentence}</Banner>
    </li>
  );
}

function Skeleton() {
  const { t } = useTranslation('common');
  return (
    <>
      <p role="status" className="sr-only">
        {t('loading')}
      </p>
      <div className="skeleton h-32" aria-hidden="true" />
    </>
  );
}
