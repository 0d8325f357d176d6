import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { MatchReason, Post } from '#contract/posts.ts';
import { formatAge, formatDateTime } from '#web/lib/format.ts';
import { savesData } from '#web/lib/online.ts';
import { postPath } from '#web/lib/paths.ts';
import { wordsOf } from '#web/matches/reason-list.tsx';
import type { ListedPost } from '#web/posts/api.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Icon, type IconName } from '#web/ui/icon.tsx';

/** Says whether the item is lost, found or returned, by text and icon as well as colour. */
export function PostBadges({
  post,
}: {
  post: Pick<Post, 'posted_by' | 'is_found' | 'is_hidden' | 'community_name'> & Partial<Pick<Post, 'state'>>;
}) {
  const { t } = useTranslation('posts');
  return (
    <div className="flex flex-wrap gap-1.5">
      <StateBadge post={post} />
      {(post.state === 'closed' || post.state === 'resting') && (
        <Badge tone="plain" icon={post.state === 'closed' ? 'close' : 'pause'}>
          {t(post.state)}
        </Badge>
      )}
      {post.is_hidden && (
        <Badge tone="plain" icon="eyeOff">
          {t('hidden')}
        </Badge>
      )}
      {post.community_name && (
        <Badge tone="plain" icon="users">
          <bdi>{post.community_name}</bdi>
        </Badge>
      )}
    </div>
  );
}

/** Shows "Found and returned" alone, because "Found" beside it would confuse. */
function StateBadge({ post: { posted_by, is_found } }: { post: Pick<Post, 'posted_by' | 'is_found'> }) {
  const { t } = useTranslation('posts');
  if (is_found) {
    return (
      <Badge tone="found" icon="check">
        {t('found')}
      </Badge>
    );
  }
  return posted_by === 'owner' ? (
    <Badge tone="lost" icon="search">
      {t('kindLost')}
    </Badge>
  ) : (
    <Badge tone="accent" icon="tag">
      {t('kindPickedUp')}
    </Badge>
  );
}

/** The owner's name, the place, where the item is now, the time, and whether the author posted for somebody else. */
export function PostFacts({ post }: { post: Post }) {
  const { t } = useTranslation(['posts', 'notices']);
  const owner = `${post.owner_first_name} ${post.owner_last_name}`.trim();
  return (
    <ul className="grid content-start gap-1">
      {owner && (
        <Fact icon="user" label={t('owner')}>
          <span dir="auto">{owner}</span>
        </Fact>
      )}
      <Fact icon="pin" label={t('location')}>
        <span dir="auto">{post.location}</span>
      </Fact>
      {post.kept_at && (
        <Fact icon="shield">
          <span dir="auto">{t('notices:nowAt', { place: post.kept_at })}</span>
        </Fact>
      )}
      <Fact icon="clock" label={t('postedAt')}>
        <time dateTime={post.created_at} title={formatDateTime(post.created_at)}>
          {formatAge(post.created_at)}
        </time>
      </Fact>
      {post.on_behalf && <Fact icon="users">{t('forOther')}</Fact>}
    </ul>
  );
}

function Fact({ icon, label, children }: { icon: IconName; label?: string; children: React.ReactNode }) {
  return (
    <li className="flex items-start gap-2 text-muted text-sm">
      <Icon name={icon} className="mt-0.5 size-4" />
      {label && <span className="sr-only">{label}</span>}
      <span className="min-w-0 break-words">{children}</span>
    </li>
  );
}

/** Says why a search found a post that does not contain the search's words, such as "simu = phone". */
export function FoundBy({ post, search = '' }: { post: ListedPost; search?: string }) {
  const { t } = useTranslation('posts');
  const words = (post.reasons ?? []).map((reason) => nameBoth(reason, post, search)).filter(Boolean);
  if (words.length === 0) return null;
  return (
    <p className="flex items-start gap-2 text-sm">
      <Icon name="search" className="mt-0.5 size-4 text-muted" />
      <span className="sr-only">{t('foundBy')}</span>
      <span className="min-w-0 break-words">{words.join(' · ')}</span>
    </p>
  );
}

/**
 * Returns the post's word and the search's word if they differ, such as "simu = phone". Otherwise returns the word in
 * the user's language.
 */
function nameBoth(reason: MatchReason, { title, description, location }: Post, search: string): string {
  const text = [title, description, location].join(' ');
  const [own, other] = contains(search, reason.en) ? [reason.en, reason.sw] : [reason.sw, reason.en];
  const differ = contains(search, own) && contains(text, other) && !contains(text, own);
  return differ ? `${other} = ${own}` : wordsOf(reason);
}

/** Whether the text contains the words, starting at the beginning of a word. */
function contains(text: string, words: string): boolean {
  return toPlain(text).includes(toPlain(words).trimEnd());
}

/** Returns lower-case words between single spaces, such as " black phone ". */
function toPlain(text: string): string {
  return ` ${text} `.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
}

/** A post's title, linked to its page. */
export function PostLink({ post: { id, title } }: { post: Pick<Post, 'id' | 'title'> }) {
  return (
    <Link to={postPath(id)} dir="auto" className="block underline-offset-4 hover:underline">
      {title}
    </Link>
  );
}

/**
 * A post's first photo in a list, in reserved space. If the phone or the browser is set to save data, the photo loads
 * only after the user presses a button.
 */
export function Thumbnail({ post: { photos, title } }: { post: Post }) {
  const { t } = useTranslation('posts');
  const [isShown, setIsShown] = useState(() => !savesData());
  const isAskedFor = useRef(false);
  const [photo] = photos;
  if (!photo) return null;

  function show() {
    isAskedFor.current = true;
    setIsShown(true);
  }

  if (!isShown) {
    return (
      <button
        type="button"
        className="grid size-24 shrink-0 content-center justify-items-center gap-1 rounded-lg border border-line bg-sunken p-1 text-center text-sm"
        onClick={show}
      >
        <Icon name="camera" />
        {t('showPhoto')}
      </button>
    );
  }
  return (
    <img
      // Moves the focus to the photo, because the pressed button is removed.
      ref={(image) => {
        if (isAskedFor.current) image?.focus();
        isAskedFor.current = false;
      }}
      tabIndex={-1}
      src={photo.thumbnail_url}
      alt={photo.alt || t('photoOf', { title })}
      width={96}
      height={96}
      loading="lazy"
      decoding="async"
      className="size-24 shrink-0 rounded-lg bg-sunken object-cover"
    />
  );
}
