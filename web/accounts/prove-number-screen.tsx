import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import type { Me } from '#contract/accounts.ts';
import { numberChangeSchema } from '#contract/recovery.ts';
import { normaliseAccountPhone } from '#contract/typed-numbers.ts';
import { failureText } from '#web/api/client.ts';
import { meQuery } from '#web/api/me.ts';
import { useSession } from '#web/api/session.ts';
import { ownPath } from '#web/lib/address.ts';
import { paths } from '#web/lib/paths.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/choice-fields.tsx';
import { TextField } from '#web/ui/field.tsx';
import { useForm } from '#web/ui/form.ts';
import { LoginNeeded, QueryState } from '#web/ui/query-state.tsx';
import { askForChange, confirmNumber, type Evidence } from './api.ts';
import { forgetPendingProof, readPendingProof } from './message-proof.ts';
import { NumberEvidencePanel } from './number-evidence.tsx';

/** /prove-number: a signed-in person proves or changes their phone number. */
export function ProveNumberScreen() {
  const { t } = useTranslation('numbers');
  return (
    <div className="mx-auto grid w-full max-w-md gap-5">
      <div className="grid gap-2">
        <h1>{t('proveTitle')}</h1>
        <p className="lead">{t('proveText')}</p>
      </div>
      {useSession() ? <OwnNumber /> : <LoginNeeded icon="phone" title={t('loginFirst')} label={t('login')} />}
    </div>
  );
}

function OwnNumber() {
  const { t } = useTranslation('numbers');
  const query = useQuery(meQuery);
  return (
    <QueryState query={query} failed={t('loadFailed')} skeleton={<div className="skeleton h-80" aria-hidden="true" />}>
      {(me) => (
        <>
          <CurrentNumber me={me} />
          <NumberForm current={me.whatsapp_number} />
        </>
      )}
    </QueryState>
  );
}

function CurrentNumber({ me: { whatsapp_number: number, is_whatsapp_verified: isProven } }: { me: Me }) {
  const { t } = useTranslation('numbers');
  if (number === null) return <Banner tone="notice">{t('currentNone')}</Banner>;
  return (
    <p className="flex flex-wrap items-center gap-2">
      {t('current', { number })}
      <Badge tone={isProven ? 'found' : 'plain'} {...(isProven && { icon: 'check' as const })}>
        {t(isProven ? 'currentProven' : 'currentUnproven')}
      </Badge>
    </p>
  );
}

/** @param current the account's phone number; null when there is none. */
function NumberForm({ current }: { current: string | null }) {
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
          {saving.isError && <Banner tone="error">{failureText(saving.error, t('startFailed'))}</Banner>}
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

/** A link back to the screen that sent the user here, or to the home page if no screen did. */
function GoOn() {
  const { t } = useTranslation('numbers');
  const { state } = useLocation();
  const from = ownPath((state as { from?: unknown } | null)?.from);
  return <ButtonLink to={from ?? paths.home}>{t(from ? 'goOn' : 'toHome')}</ButtonLink>;
}
