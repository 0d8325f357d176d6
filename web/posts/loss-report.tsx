import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';

/** Where the police take loss reports. */
const LOSS_REPORT_URL = 'https://lormis.tpf.go.tz';

/** To whoever has lost a document: a new one is often given out on a loss report alone. */
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
