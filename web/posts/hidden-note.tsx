import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { Banner } from '#web/ui/banner.tsx';
import { HidingText } from '#web/ui/hiding-text.tsx';

/** On a hidden post: to its author why it is and what can be done, to those who moderate it who hides it. */
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
