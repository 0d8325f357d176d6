import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatDateTime } from '#web/lib/format.ts';
import { meQuery } from '#web/lib/me-query.ts';
import { paths, postPath } from '#web/lib/paths.ts';
import { Icon } from './icon.tsx';

type Props = {
  postId: string;
  opensAt: string | null;
  /** The post is opened by itself: elsewhere it is worth opening, for that has some numbers of its own. */
  isOpened?: boolean;
};

/** In the place of a number that the day's allowance has no room for: when it opens, and how to be given more. */
export function ContactLimited({ postId, opensAt, isOpened = false }: Props) {
  const { t } = useTranslation('notices');
  const isProven = useQuery(meQuery).data?.is_whatsapp_verified === true;
  if (opensAt !== null && Date.parse(opensAt) <= Date.now()) {
    return (
      <Link className="link justify-self-start py-1" to={postPath(postId)}>
        {t('numberOpen')}
      </Link>
    );
  }
  return (
    <div className="flex items-start gap-2.5 rounded-xl bg-notice-soft px-3 py-2 text-notice text-sm">
      <Icon name="clock" className="mt-0.5 size-5" />
      <div className="grid justify-items-start">
        <p>{opensAt === null ? t('numbersUsedUp') : t('numbersOpenAt', { time: formatDateTime(opensAt) })}</p>
        {!isOpened && (
          <Link className="link py-1" to={postPath(postId)}>
            {t('openForNumber')}
          </Link>
        )}
        {!isProven && (
          <Link className="link py-1" to={paths.proveNumber}>
            {t('proveForNumbers')}
          </Link>
        )}
      </div>
    </div>
  );
}
