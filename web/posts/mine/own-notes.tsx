import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { HidingText } from '#web/posts/post/hiding-text.tsx';
import { Banner } from '#web/ui/banner.tsx';

/** Says why a post is hidden and, if the user is the author, what to do. */
export function HiddenNote({ post }: { post: Post }) {
  const { t } = useTranslation('posts');
  const [by = 'admin'] = post.hidden_by;
  if (!post.is_hidden) return null;
  return (
    <Banner tone="notice">
      {post.is_mine ? (
        <HidingText by={by} reason={post.hidden_reason} />
      ) : (
        <ul className="grid gap-1">
          {post.hidden_by.map((name) => (
            <li key={name}>{t(`hiddenFor.${name}`)}</li>
          ))}
        </ul>
      )}
    </Banner>
  );
}

/** The police website for loss reports. */
const LOSS_REPORT_URL = 'https://lormis.tpf.go.tz';

/** Advises owners of lost documents: a replacement often requires a loss report. */
export function LossReport({ post }: { post: Post }) {
  const { t } = useTranslation(['posts', 'ends']);
  if (!post.is_mine || post.posted_by !== 'owner' || post.kind !== 'document' || post.is_found) return null;
  return (
    <p className="text-muted text-sm">
      {t('ends:lossReportText')}{' '}
      <a className="link py-1" href={LOSS_REPORT_URL} target="_blank" rel="noopener noreferrer">
        {t('ends:lossReportLink')}
      </a>
    </p>
  );
}
