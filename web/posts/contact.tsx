import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import type { Post } from '#contract/posts.ts';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { ContactLinks } from '#web/ui/contact-links.tsx';
import { Icon } from '#web/ui/icon.tsx';

/** How to reach who posted: for those signed in; a visitor is asked to log in, and comes back here after it. */
export function Contact({ post }: { post: Post }) {
  const { t } = useTranslation('posts');
  const { pathname, search, state } = useLocation();
  const session = useSession();
  if (!session || post.phone_number === null) {
    return (
      <ButtonLink
        look="secondary"
        icon="phone"
        to={paths.login}
        state={{ from: pathname + search, fromState: state }}
        className="w-full"
      >
        {t('loginToContact')}
      </ButtonLink>
    );
  }
  return (
    <div className="grid gap-2">
      <p className="flex items-center gap-2 font-semibold tabular-nums">
        <Icon name="phone" className="size-4 text-muted" />
        <span className="sr-only">{t('phoneNumber')}</span>
        {post.phone_number}
      </p>
      {!post.is_mine && <ContactLinks title={post.title} phone={post.phone_number} />}
    </div>
  );
}
