import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#web/lib/api-client.ts';
import { showToast } from '#web/ui/toast.tsx';

/** Tells once, in a toast, that the posts could not be loaded. @returns the same sentence for the screen, or null. */
export function useListError(error: Error | null): string | null {
  const { t } = useTranslation('posts');
  const sentence = error && t('errorLoading', { message: reasonOf(error) });
  useEffect(() => {
    if (sentence) showToast.error(sentence, 'posts-not-loaded');
  }, [sentence]);
  return sentence;

  function reasonOf(problem: Error): string {
    if (!(problem instanceof ApiError)) return t('noAnswer');
    if (problem.status === 401) return t('loginToLoad');
    return problem.detail || t('noAnswer');
  }
}
