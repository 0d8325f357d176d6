import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Claim, handOverInputSchema } from '#contract/claims.ts';
import { ApiError } from '#web/lib/api-client.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { readCode } from '#web/lib/read-code.ts';
import { useForm } from '#web/lib/use-form.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { problemOf } from './problem-of.ts';
import { useStep } from './use-step.ts';

/** Where the finder types what the owner reads out: digits alone, whatever was pasted with them. */
export function HandOverForm({ claim, onStep }: { claim: Claim; onStep: () => void }) {
  const { t } = useTranslation('claims');
  const { form, field, set, submit } = useForm({ schema: handOverInputSchema, initial: { code: '' } });
  const step = useStep(claim, onStep);
  const [failedAt, setFailedAt] = useState(0);

  function send(code: string) {
    if (step.isPending || step.isSuccess) return;
    step.mutate(
      { name: 'hand-over', code },
      {
        onError() {
          setFailedAt(Date.now());
          form.current?.querySelector('input')?.select();
        },
      },
    );
  }

  return (
    <form ref={form} noValidate className="card grid gap-3" onSubmit={submit(({ code }) => send(code))}>
      <TextField
        label={t('codeField')}
        hint={t('codeFieldHint')}
        inputMode="numeric"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="done"
        className="text-center font-semibold text-2xl tabular-nums tracking-[0.35em]"
        {...field('code')}
        onChange={(event) => set('code', readCode(event.target.value))}
      />
      {step.error && <Banner tone="error">{explain(step.error)}</Banner>}
      <Button type="submit" isBusy={step.isPending || step.isSuccess}>
        {t('handOver')}
      </Button>
    </form>
  );

  function explain(error: Error): string {
    const code = error instanceof ApiError ? error.code : null;
    if (code === 'invalid_code') return t('codeWrong');
    if (!(error instanceof ApiError) || code !== 'code_locked' || error.retryAfterMs === null)
      return problemOf(error, t);
    return t('codeLocked', { time: formatDateTime(failedAt + error.retryAfterMs) });
  }
}
