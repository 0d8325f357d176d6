import { useEffect, useState } from 'react';
import { formatNumber } from '#web/lib/format-number.ts';
import { useTranslation } from '#web/lib/use-translation.ts';
import { countReturned } from './api.ts';

/** How many things are back. Not there while they are few or not known: the page is whole without it. */
export function ReturnedThings() {
  const { t } = useTranslation('home');
  const [count, setCount] = useState<number | null>(null);

  useEffect(() => {
    const asking = new AbortController();
    countReturned(asking.signal).then(setCount, () => undefined);
    return () => asking.abort();
  }, []);

  if (count === null) return null;
  return <p className="text-center font-semibold text-lg">{t('returnedThings', { number: formatNumber(count) })}</p>;
}
