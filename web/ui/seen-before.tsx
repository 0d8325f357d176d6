import { useTranslation } from 'react-i18next';
import { formatAge } from '#web/lib/format.ts';
import { useOnline } from '#web/lib/use-online.ts';
import { Icon } from './icon.tsx';

/**
 * Marks what is read without a network as what it is: kept on this phone, and of when.
 * @param updatedAt when it came, in milliseconds (TanStack Query's `dataUpdatedAt`); 0 for nothing.
 * @param isOutdated whether the last try to renew it failed, for all that the phone believes in a network.
 */
export function SeenBefore({ updatedAt, isOutdated = false }: { updatedAt: number; isOutdated?: boolean }) {
  const { t } = useTranslation('common');
  const isOnline = useOnline();
  if (updatedAt === 0 || (isOnline && !isOutdated)) return null;
  return (
    <p role="status" className="flex items-start gap-2.5 rounded-xl bg-notice-soft px-4 py-3 text-notice">
      <Icon name="offline" className="mt-0.5 size-5" />
      {t('seenBefore', { age: formatAge(new Date(updatedAt).toISOString()) })}
    </p>
  );
}
