import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';

/** What a reader should know of the number before they call it; nothing where it is its author's own and proven. */
export function NumberNote({ post: { on_behalf, is_author_proven } }: { post: Post }) {
  const { t } = useTranslation('posts');
  if (on_behalf) return <p className="text-muted text-sm">{t('numberOfOther')}</p>;
  return is_author_proven === false && <p className="text-muted text-sm">{t('numberUnproven')}</p>;
}
