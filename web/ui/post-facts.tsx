import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { formatAge, formatDateTime } from '#web/lib/format.ts';
import { Icon, type IconName } from '#web/ui/icon.tsx';

/** Whose it is, where it was and is, since when, and that it is posted for somebody else. */
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
