import { useTranslation } from 'react-i18next';
import type { MatchReason } from '#contract/matching.ts';
import { currentLanguage } from '#web/lib/i18n.ts';
import { Icon } from './icon.tsx';

/** Why two posts were put together, a sentence each in the reader's language. */
export function ReasonList({ reasons }: { reasons: MatchReason[] }) {
  const { t } = useTranslation('notices');
  if (reasons.length === 0) return null;
  const language = currentLanguage();
  return (
    <ul className="grid gap-1" aria-label={t('reasonsLabel')}>
      {reasons.map((reason) => (
        <li key={`${reason.kind} ${reason.en}`} className="flex items-start gap-2">
          <Icon name="check" className="mt-0.5 size-5 text-found" />
          <span className="wrap-anywhere min-w-0">{t(`reasons.${reason.kind}`, { value: reason[language] })}</span>
        </li>
      ))}
    </ul>
  );
}
