import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isIdentifier } from '#contract/identifiers.ts';
import { ApiError } from '#web/lib/api-client.ts';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { lookUpIdentifier } from './api.ts';

/** Has anyone found it? By a number that the thing alone has; the way on is a lost post with that number. */
export function NumberLookup() {
  const { t } = useTranslation(['posts', 'ends']);
  const lookup = useMutation({ mutationFn: lookUpIdentifier });
  const [typed, setTyped] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  const input = useRef<HTMLDivElement>(null);

  function ask(event: FormEvent) {
    event.preventDefault();
    const isRight = isIdentifier(typed);
    setIsWrong(!isRight);
    if (isRight) return lookup.mutate(typed);
    input.current?.querySelector('input')?.focus();
  }

  return (
    <details className="rounded-xl border border-line px-4">
      <summary className="min-h-11 cursor-pointer content-center py-2 font-semibold">{t('ends:lookupTitle')}</summary>
      <form noValidate className="grid gap-3 pb-4" onSubmit={ask}>
        <div ref={input}>
          <TextField
            label={t('identifier')}
            hint={t('ends:lookupHint')}
            error={isWrong ? t('ends:lookupWrong') : undefined}
            name="identifier"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            dir="ltr"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              setIsWrong(false);
              lookup.reset();
            }}
          />
        </div>
        <Button type="submit" look="secondary" icon="search" isBusy={lookup.isPending}>
          {t('ends:lookupAsk')}
        </Button>
        <div role="status" className="grid gap-3 empty:hidden">
          {lookup.isSuccess && <Answer isFound={lookup.data.found} identifier={typed} />}
        </div>
        {lookup.isError && <Problem error={lookup.error} />}
      </form>
    </details>
  );
}

function Answer({ isFound, identifier }: { isFound: boolean; identifier: string }) {
  const { t } = useTranslation(['posts', 'ends']);
  return (
    <>
      <Banner tone={isFound ? 'success' : 'notice'}>{t(isFound ? 'ends:lookupFound' : 'ends:lookupNotFound')}</Banner>
      {/* In the history's state and not in the address, which others may read. */}
      <ButtonLink to={paths.createPost} state={{ posted_by: 'owner', identifier }}>
        {t('ends:lookupPost')}
      </ButtonLink>
    </>
  );
}

function Problem({ error }: { error: Error }) {
  const { t } = useTranslation(['posts', 'ends']);
  const isUnproven = error instanceof ApiError && error.code === 'number_not_proven';
  const isBeyond = error instanceof ApiError && error.status === 429;
  return (
    <>
      <Banner tone="error">
        {t(isUnproven ? 'ends:lookupUnproven' : isBeyond ? 'ends:lookupLimit' : 'ends:lookupFailed')}
      </Banner>
      {isUnproven && <ButtonLink to={paths.proveNumber}>{t('ends:lookupProve')}</ButtonLink>}
    </>
  );
}
