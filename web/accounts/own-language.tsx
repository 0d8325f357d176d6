import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Me } from '#contract/accounts.ts';
import { LANGUAGES, nameOf } from '#contract/language.ts';
import { describeFailure } from '#web/lib/describe-failure.ts';
import { meQuery } from '#web/lib/me-query.ts';
import { showToast } from '#web/ui/toast.tsx';
import { changeMe } from './own-api.ts';

/** In which language the reader is written to; the app's own is chosen at the top of every page. */
export function OwnLanguage({ me }: { me: Me }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const hint = useId();
  const saving = useMutation({
    mutationFn: changeMe,
    // One after the other, so that the last one pressed is the one that stays.
    scope: { id: 'language' },
    onSuccess(changed) {
      client.setQueryData(meQuery.queryKey, changed);
      showToast.success(t('saved'));
    },
    onError: (error) => showToast.error(describeFailure(error, t('failed')), 'language-not-saved'),
  });
  const chosen = (saving.isPending && saving.variables.language) || me.language;
  return (
    <fieldset aria-describedby={hint}>
      <legend className="text-muted text-sm">{t('language')}</legend>
      <p id={hint} className="text-muted text-sm">
        {t('languageText')}
      </p>
      <div className="flex flex-wrap gap-x-6">
        {LANGUAGES.map((language) => (
          <label key={language} className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name="language"
              className="size-5 accent-(--accent)"
              checked={chosen === language}
              onChange={() => saving.mutate({ language })}
            />
            <span lang={language} className="font-medium">
              {nameOf(language)}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
