import { useTranslation } from 'react-i18next';
import type { Language } from '#contract/language.ts';
import type { MatchReason } from '#contract/posts.ts';
import { currentLanguage } from '#web/lib/i18n.ts';
import { Icon } from '#web/ui/icon.tsx';

/** Why two posts match: one sentence for each reason, in the user's language. */
export function ReasonList({ reasons }: { reasons: MatchReason[] }) {
  const { t } = useTranslation('notices');
  if (reasons.length === 0) return null;
  return (
    <ul className="grid gap-1" aria-label={t('reasonsLabel')}>
      {reasons.map((reason) => (
        <li key={`${reason.kind} ${reason.en}`} className="flex items-start gap-2">
          <Icon name="check" className="mt-0.5 size-5 text-found" />
          <span className="wrap-anywhere min-w-0">{t(`reasons.${reason.kind}`, { value: wordsOf(reason) })}</span>
        </li>
      ))}
    </ul>
  );
}

/** Returns a reason's sentence. The Worker writes it in two languages; users of any other language read English. */
export function wordsOf(reason: MatchReason): string {
  const words: Partial<Record<Language, string>> = reason;
  return words[currentLanguage()] ?? reason.en;
}
