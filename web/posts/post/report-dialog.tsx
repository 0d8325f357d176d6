import { useMutation } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { REPORT_REASONS, type ReportReason } from '#contract/kinds.ts';
import { REPORT_TEXT_MAX_CHARS } from '#contract/limits.ts';
import { reportInputSchema } from '#contract/moderation.ts';
import { ApiError, failureText, newIdempotencyKey } from '#web/api/client.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmButtons, Dialog } from '#web/ui/dialogs.tsx';
import { TextArea } from '#web/ui/field.tsx';
import { useForm } from '#web/ui/form.ts';

type Props = {
  /** The dialog's texts, for a post or a claim. */
  words: { title: string; question: string; thanks: string; known: string };
  /** The title of the reported post, or of the post that the claim is on. */
  about: string;
  send: (input: Typed, idempotencyKey: string) => Promise<unknown>;
  onClose: () => void;
};

/** Reports a post or a claim, with one of five reasons and a text. */
export function ReportDialog({ words, about, send, onClose }: Props) {
  const { t } = useTranslation(['posts', 'common']);
  // Every retry uses the same key, so that the server counts one report.
  const [key] = useState(newIdempotencyKey);
  const sending = useMutation({ mutationFn: (input: Typed) => send(input, key) });
  const isKnown = sending.error instanceof ApiError && sending.error.code === 'already_reported';
  const isOver = sending.isSuccess || isKnown;
  return (
    <Dialog title={words.title} onClose={onClose}>
      <p dir="auto" className="wrap-anywhere font-semibold">
        {about}
      </p>
      <Banner tone={isKnown ? 'notice' : 'success'}>{isOver && (isKnown ? words.known : words.thanks)}</Banner>
      {isOver ? (
        <Button onClick={onClose}>{t('common:close')}</Button>
      ) : (
        <ReportForm
          question={words.question}
          problem={sending.error && reasonOf(sending.error, t)}
          isBusy={sending.isPending}
          onSend={sending.mutate}
          onCancel={onClose}
        />
      )}
    </Dialog>
  );
}

type Typed = { reason: ReportReason; text: string };
type FormProps = {
  question: string;
  problem: string | null;
  isBusy: boolean;
  onSend: (input: Typed) => void;
  onCancel: () => void;
};

function ReportForm({ question, problem, isBusy, onSend, onCancel }: FormProps) {
  const { t } = useTranslation('posts');
  const initial: { reason: ReportReason | ''; text: string } = { reason: '', text: '' };
  const { form, field, set, submit, values } = useForm({ schema: reportInputSchema, initial });
  const { error } = field('reason');
  return (
    <form
      ref={form}
      noValidate
      className="grid gap-4"
      onSubmit={submit(({ reason, text }) => reason !== '' && onSend({ reason, text }))}
    >
      {problem && <Banner tone="error">{problem}</Banner>}
      <fieldset className="grid gap-1" aria-describedby={error ? 'report-problem' : undefined}>
        <legend className="mb-1 font-semibold">{question}</legend>
        {REPORT_REASONS.map((reason) => (
          <label key={reason} className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name="reason"
              value={reason}
              checked={values.reason === reason}
              onChange={() => set('reason', reason)}
              className="size-5 shrink-0 accent-(--accent)"
            />
            {t(`reportReasons.${reason}`)}
          </label>
        ))}
        {error && (
          <p id="report-problem" role="alert" className="text-danger text-sm">
            {error}
          </p>
        )}
      </fieldset>
      <TextArea label={t('reportText')} isOptional rows={3} maxLength={REPORT_TEXT_MAX_CHARS} {...field('text')} />
      <p className="text-muted text-sm">{t('reportExplained')}</p>
      <ConfirmButtons label={t('sendReport')} look="primary" isBusy={isBusy} onCancel={onCancel} />
    </form>
  );
}

function reasonOf(error: Error, t: TFunction<['posts', 'common']>): string {
  const isLimit = error instanceof ApiError && error.status === 429;
  return isLimit ? t('reportLimit') : failureText(error, t('reportFailed'), t('reportNoAnswer'));
}
