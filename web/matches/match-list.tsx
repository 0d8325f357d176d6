import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Post, PostMatch } from '#contract/posts.ts';
import { ApiError } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { formatAge } from '#web/lib/format.ts';
import { postPath } from '#web/lib/paths.ts';
import { ContactLimited, ContactLinks } from '#web/posts/post/contact-links.tsx';
import { Thumbnail } from '#web/posts/post/post-parts.tsx';
import { canBeClaimed, ThisIsMine } from '#web/posts/post/this-is-mine.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialogs.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { LoadFailure, useFailure } from '#web/ui/query-state.tsx';
import { answerMatch, keepConfirmed, type MatchAnswer, matchCountsQuery, matchesQuery } from './api.ts';
import { ReasonList } from './reason-list.tsx';

/**
 * "3 possible matches" on a card of the user's own post: a button that opens the matches. Shows nothing if there are
 * none. One request loads the counts of all cards.
 * @param onEmptied is called when the dialog closes after the last match was dismissed. The button is removed too, so
 * the caller moves the focus.
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
 * The posts that match one of the user's posts: sure matches first, then by score.
 * @param isAsked whether the user opened the list. If so, a message appears for an empty list or a failure to load the
 * list. If not, nothing appears in these cases.
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
  /** The message that replaces a removed card. `index` is the position of the card in the list. */
  const [result, setResult] = useState<{ index: number; sentence: string } | null>(null);
  if (matches.length === 0 && result === null && !isAsked) return null;

  function remove(pairId: string, index: number, sentence: string) {
    // Moves the focus, because the pressed button is removed with its card.
    region.current?.focus({ preventScroll: true });
    setResult({ index, sentence });
    client.setQueryData(matchesQuery(postId).queryKey, (known) => known?.filter(({ pair_id }) => pair_id !== pairId));
    // Changes the count at once. The user may close the dialog before the server sends the new count, and would see the
    // old count.
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

type Props = {
  match: PostMatch;
  /** Called when the match leaves the list, with the text to show the user. */
  onGone: (sentence: string) => void;
};

/**
 * Shows a post that matches the user's own post: the reasons, and the buttons to confirm or dismiss the match. For a
 * possible match, the author's contact appears only after the user has confirmed the match.
 */
function MatchItem({ match: { pair_id, confidence, Post: post, reasons, answer }, onGone }: Props) {
  const { t } = useTranslation('notices');
  const client = useQueryClient();
  const isConfirmed = answer === 'confirmed';
  const answering = useMutation({
    mutationFn: (answer: MatchAnswer) => answerMatch(pair_id, answer),
    onSuccess: (_, said) => (said === 'dismiss' ? onGone(t('notThisDone')) : keepConfirmed(client, pair_id)),
    onError: (error) => isGone(error) && onGone(t('matchGone')),
  });
  const isAsking = (said: MatchAnswer) => answering.isPending && answering.variables === said;
  const owner = `${post.owner_first_name} ${post.owner_last_name}`.trim();

  return (
    <li className="wrap-anywhere grid gap-3 rounded-xl border border-line bg-surface p-4">
      <div className="flex gap-3">
        <Thumbnail post={post} />
        <div className="grid min-w-0 justify-items-start gap-1">
          <Badge tone={confidence === 'sure' ? 'found' : 'plain'}>{t(confidence)}</Badge>
          <Link dir="auto" className="link block" to={postPath(post.id)}>
            {post.title}
          </Link>
          <p className="text-muted text-sm">
            {t('placeAndAge', { place: post.location, age: formatAge(post.created_at) })}
          </p>
          {post.kept_at && <p className="text-sm">{t('nowAt', { place: post.kept_at })}</p>}
          {owner && <p className="text-sm">{t('ownerName', { name: owner })}</p>}
        </div>
      </div>
      <ReasonList reasons={reasons} />
      {post.posted_by === 'owner' && reasons.some(({ kind }) => kind === 'same_identifier') && (
        <p className="text-muted text-sm">{t('numberAlone')}</p>
      )}
      <Banner tone="success">{isConfirmed && t(post.phone_number ? 'isThisDone' : 'isThisTold')}</Banner>
      {(confidence === 'sure' || isConfirmed) && <MatchContact post={post} />}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-2">
        {/* Hidden if "This is mine" is shown: both buttons would confirm the match. */}
        {!(confidence === 'sure' && canBeClaimed(post)) && (
          // After the press the button stays, but locked, so that it keeps the focus.
          <Button
            look="secondary"
            icon="check"
            className="px-2!"
            isBusy={isAsking('confirm')}
            isLocked={isAsking('dismiss') || isConfirmed}
            onClick={() => answering.mutate('confirm')}
          >
            {t('isThis')}
          </Button>
        )}
        <Button
          look="secondary"
          icon="close"
          className="px-2!"
          isBusy={isAsking('dismiss')}
          isLocked={isAsking('confirm')}
          onClick={() => answering.mutate('dismiss')}
        >
          {t('notThis')}
        </Button>
      </div>
      {answering.isError && !isGone(answering.error) && <Banner tone="error">{t('notMineFailed')}</Banner>}
    </li>
  );
}

function MatchContact({ post }: { post: Post }) {
  if (post.is_contact_limited) return <ContactLimited postId={post.id} opensAt={post.contact_opens_at} />;
  return (
    <>
      {post.phone_number && <ContactLinks phone={post.phone_number} title={post.title} />}
      {canBeClaimed(post) && <ThisIsMine postId={post.id} look={post.phone_number ? 'secondary' : 'primary'} />}
    </>
  );
}

/** Whether the match no longer exists: a post was returned, deleted or changed, or the match was dismissed. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 409);
}
