import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { normaliseAccountPhone } from '#contract/normalise-phone.ts';
import { numberChangeSchema } from '#contract/numbers.ts';
import { describeFailure } from '#web/lib/describe-failure.ts';
import { meQuery } from '#web/lib/me-query.ts';
import { ownPath } from '#web/lib/own-path.ts';
import { paths } from '#web/lib/paths.ts';
import { useForm } from '#web/lib/use-form.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { askForChange, confirmNumber } from './api.ts';
import type { Evidence } from './evidence.ts';
import { NumberEvidencePanel } from './number-evidence.tsx';
import { forgetPendingProof, readPendingProof } from './pending-proof.ts';

/** @param current the account's number, which may be proven as well as changed; null when it has none. */
export function NumberForm({ current }: { current: string | null }) {
  const { t } = useTranslation('numbers');
  const [evidence, setEvidence] = useState<Evidence | null>(null);
  const { form, values, field, submit } = useForm({
    schema: numberChangeSchema,
    initial: { whatsapp_number: readPendingProof()?.number ?? current ?? '', current_password: '' },
  });
  const number = normaliseAccountPhone(values.whatsapp_number);
  const saving = useSaving();
  const brought = evidence?.number === number ? evidence : null;
  const isReady = Boolean(brought?.number_proof ?? brought?.verification_code);
  const saved = saving.data?.whatsapp_number ?? number;
  return (
    <div className="card grid gap-4">
      <Banner tone="success">{saving.isSuccess && t('saved', { number: saved })}</Banner>
      {saving.isSuccess ? (
        <GoOn />
      ) : (
        <form
          ref={form}
          noValidate
          className="grid gap-4"
          onSubmit={submit(({ current_password }) => {
            if (brought && !saving.isPending) saving.mutate({ ...brought, current_password });
          })}
        >
          {saving.isError && <Banner tone="error">{describeFailure(saving.error, t('startFailed'))}</Banner>}
          <TextField label={t('number')} type="tel" autoComplete="tel" {...field('whatsapp_number')} />
          <PasswordField label={t('password')} autoComplete="current-password" {...field('current_password')} />
          <NumberEvidencePanel
            typed={values.whatsapp_number}
            sendCode={(whatsapp_number) => askForChange({ whatsapp_number, current_password: values.current_password })}
            evidence={evidence}
            onEvidence={setEvidence}
            provenText="provenNext"
          />
          <Button type="submit" isLocked={!isReady} isBusy={saving.isPending} busyLabel={t('saving')}>
            {t('save')}
          </Button>
        </form>
      )}
    </div>
  );
}

function useSaving() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ number: _number, ...body }: Evidence & { current_password: string }) => confirmNumber(body),
    onSuccess(me) {
      forgetPendingProof();
      client.setQueryData(meQuery.queryKey, me);
    },
  });
}

/** Whoever was sent here from another screen goes back there. */
function GoOn() {
  const { t } = useTranslation('numbers');
  const { state } = useLocation();
  const from = ownPath((state as { from?: unknown } | null)?.from);
  return <ButtonLink to={from ?? paths.home}>{t(from ? 'goOn' : 'toHome')}</ButtonLink>;
}
