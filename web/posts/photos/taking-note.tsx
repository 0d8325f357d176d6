import { useTranslation } from 'react-i18next';
import { Banner } from '#web/ui/banner.tsx';
import type { useTaking } from './use-taking.ts';

/** What is being read, and what could not be taken. */
export function TakingNote({ readCount, problem }: ReturnType<typeof useTaking>) {
  const { t } = useTranslation('photos');
  return (
    <>
      <p role="status" className="text-muted text-sm empty:hidden">
        {readCount > 0 && t('reading', { count: readCount })}
      </p>
      {problem && <Banner tone="error">{t(problem)}</Banner>}
    </>
  );
}
