import { useTranslation } from 'react-i18next';
import { formatAge } from '#web/lib/format.ts';
import { useOnline } from '#web/lib/online.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { type PendingPost, useOutbox } from './outbox.ts';
import { takeFromOutbox } from './outbox-changes.ts';

/**
 * The account's unsent posts, each with its state. Shows nothing if there are none.
 * @param onEdit opens a refused post in the form.
 */
export function PendingPosts({ onEdit }: { onEdit?: (post: PendingPost) => void }) {
  const { t } = useTranslation('posts');
  const posts = useOutbox();
  return (
    <section aria-label={t('pendingPosts')} aria-live="polite" className={posts.length > 0 ? 'grid gap-3' : 'sr-only'}>
      {posts.map((post) => (
        <Pending key={post.idempotencyKey} post={post} {...(onEdit && { onEdit })} />
      ))}
    </section>
  );
}

function Pending({ post, onEdit }: { post: PendingPost; onEdit?: (post: PendingPost) => void }) {
  const { t } = useTranslation('posts');
  const isOnline = useOnline();
  const { idempotencyKey, input, refusal, writtenAt, sendAfter } = post;
  const waiting = isOnline ? (sendAfter ? 'pendingBusy' : 'pendingSending') : 'pendingWaiting';
  return (
    <article className={`card grid gap-2 border-l-4 ${refusal === null ? 'border-l-lost' : 'border-l-danger'}`}>
      <h2 dir="auto" className="break-words text-lg">
        {input.title}
      </h2>
      <p className={`flex items-start gap-2 ${refusal === null ? 'text-lost' : 'text-danger'}`}>
        <Icon name={refusal === null ? 'clock' : 'alert'} className="mt-0.5 size-5" />
        <span>{refusal === null ? t(waiting) : t('pendingRefused', { refusal })}</span>
      </p>
      <p className="text-muted text-sm">{t('pendingWritten', { age: formatAge(writtenAt) })}</p>
      <div className="flex flex-wrap gap-2">
        {refusal !== null && onEdit && (
          <Button look="secondary" icon="edit" onClick={() => onEdit(post)}>
            {t('pendingEdit')}
          </Button>
        )}
        <Button look="quiet" icon="trash" onClick={() => takeFromOutbox(idempotencyKey)}>
          {t('pendingDiscard')}
        </Button>
      </div>
    </article>
  );
}
