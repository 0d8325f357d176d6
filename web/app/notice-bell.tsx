import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { UNREAD_COUNT_MAX } from '#contract/limits.ts';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { useUnreadNotices } from '#web/lib/unread-notices.ts';
import { Icon } from '#web/ui/icon.tsx';

/** For whoever is signed in: how many notices are unread, and the way to them. */
export function NoticeBell() {
  const { t } = useTranslation('common');
  const { notices, claims } = useUnreadNotices();
  const count = notices + claims;
  if (!useSession()) return null;
  return (
    <NavLink
      className="icon-button relative aria-[current=page]:bg-accent-soft"
      to={paths.notices}
      aria-label={t(claims > 0 ? 'bellWithClaims' : 'bell', { count })}
    >
      <Icon name="bell" />
      {count > 0 && (
        <span
          aria-hidden="true"
          className="absolute top-0.5 right-0 min-w-5 rounded-full bg-danger px-1 text-center font-bold text-surface text-xs leading-5"
        >
          {count >= UNREAD_COUNT_MAX ? `${UNREAD_COUNT_MAX - 1}+` : count}
        </span>
      )}
    </NavLink>
  );
}
