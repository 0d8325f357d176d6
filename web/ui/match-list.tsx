import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { PostMatch } from '#contract/posts.ts';
import { formatAge } from '#web/lib/format.ts';
import { matchCountsQuery, matchesQuery } from '#web/lib/matches-query.ts';
import { postPath } from '#web/lib/paths.ts';
import { ContactLinks } from './contact-links.tsx';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';
import { ReasonList } from './reason-list.tsx';

/**
 * "3 possible matches" on a card of one's own post: a button that opens them, and nothing while there are none.
 * All counts of a page come from one request, so put one on every card.
 */
export function MatchCount({ postId }: { postId: string }) {
  const { t } = useTranslation('notices');
  const [isOpen, setIsOpen] = useState(false);
  const count = useQuery(matchCountsQuery).data?.[postId] ?? 0;
  if (count === 0) return null;
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
        <Dialog title={t('matchesTitle')} onClose={() => setIsOpen(false)}>
          <MatchList postId={postId} />
        </Dialog>
      )}
    </>
  );
}

/**
 * The posts that match one's own, best first, for the place where a post was just saved and for `MatchCount`.
 * Nothing while there are none.
 */
export function MatchList({ postId }: { postId: string }) {
  const { t } = useTranslation('notices');
  const { data: matches, isPending } = useQuery(matchesQuery(postId));
  if (isPending) return <div className="skeleton h-32" aria-hidden="true" />;
  if (!matches?.length) return null;
  return (
    <section className="grid gap-3" aria-label={t('matchesTitle')}>
      <p className="text-muted" role="status">
        {t('matchCount', { count: matches.length })}
      </p>
      <ul className="grid gap-3">
        {matches.map((match) => (
          <MatchItem key={match.Post.id} match={match} />
        ))}
      </ul>
    </section>
  );
}

function MatchItem({ match: { Post: post, reasons } }: { match: PostMatch }) {
  const { t } = useTranslation('notices');
  const owner = `${post.owner_first_name} ${post.owner_last_name}`.trim();
  return (
    <li className="wrap-anywhere grid gap-3 rounded-xl border border-line bg-surface p-4">
      <div>
        <Link dir="auto" className="link block" to={postPath(post.id)}>
          {post.title}
        </Link>
        <p className="text-muted text-sm">
          {t('placeAndAge', { place: post.location, age: formatAge(post.created_at) })}
        </p>
        {owner && <p className="text-sm">{t('ownerName', { name: owner })}</p>}
      </div>
      <ReasonList reasons={reasons} />
      {post.phone_number && <ContactLinks phone={post.phone_number} title={post.title} />}
    </li>
  );
}
