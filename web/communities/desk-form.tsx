import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { KEPT_AT_MAX_CHARS } from '#contract/limits.ts';
import { stripPhoneSeparators } from '#contract/normalise-phone.ts';
import { type Post, postInputSchema } from '#contract/posts.ts';
import { meQuery } from '#web/lib/me-query.ts';
import { newIdempotencyKey } from '#web/lib/new-idempotency-key.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { hasComeThrough, isKeySpent } from '#web/lib/spent-key.ts';
import { useForm } from '#web/lib/use-form.ts';
import { useKeptValues } from '#web/lib/use-kept-values.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { CameThrough } from '#web/ui/came-through.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { postAtDesk } from './desk-api.ts';
import { type DeskDraft, type DeskValues, keepDesk, toDeskPost } from './desk-draft.ts';
import { problemOf } from './problem-of.ts';

export type Posted = { values: DeskValues; post: Post | null };
type Props = {
  /** Where what is typed is kept. */
  place: string;
  draft: DeskDraft;
  code: string;
  titleRef: RefObject<HTMLInputElement | null>;
  onPosted: (posted: Posted) => void;
};

/** One thing of the cupboard: first what it is, then what stays the same for the next one. */
export function DeskForm({ place, draft, code, titleRef, onPosted }: Props) {
  const { t } = useTranslation(['community', 'posts']);
  const key = useRef(draft.idempotencyKey);
  const button = useRef<HTMLButtonElement>(null);
  const { data: me } = useQuery(meQuery);
  const { form, field, typed, values, set, submit, showServerErrors } = useForm({
    schema: postInputSchema,
    initial: { ...draft.values, posted_by: 'finder' },
    complete: (given) => ({ ...given, phone_number: given.phone_number ?? me?.whatsapp_number ?? '' }),
  });
  useKeptValues(typed, ({ posted_by: _same, ...kept }) =>
    keepDesk(place, { values: kept, idempotencyKey: key.current }),
  );
  useEffect(() => titleRef.current?.focus(), [titleRef]);
  const posting = usePosting({
    code,
    key,
    onPosted,
    onError(error) {
      showServerErrors(error);
    },
  });

  /** The button that says so goes, and the focus with it. */
  function postToo() {
    key.current = newIdempotencyKey();
    button.current?.focus();
  }

  return (
    <form
      ref={form}
      noValidate
      className="card grid gap-4"
      onSubmit={submit(({ posted_by: _same, ...given }) => !posting.isPending && posting.mutate(given))}
    >
      {hasComeThrough(posting.error) ? (
        <CameThrough isLocked={false} onPostToo={postToo} />
      ) : (
        posting.error && <Banner tone="error">{problemOf(posting.error, t)}</Banner>
      )}
      <ThingFields titleRef={titleRef} field={field} />
      <KeptFields {...{ values, set, field }} />
      <Button ref={button} type="submit" icon="plus" isBusy={posting.isPending}>
        {t('desk.post')}
      </Button>
    </form>
  );
}

type Form = ReturnType<typeof useForm<DeskValues & { posted_by: string }>>;

function ThingFields({ titleRef, field }: Pick<Props, 'titleRef'> & Pick<Form, 'field'>) {
  const { t } = useTranslation(['community', 'posts']);
  return (
    <>
      <TextField
        ref={titleRef}
        label={t('posts:title')}
        hint={t('desk.titleHint')}
        autoComplete="off"
        {...field('title')}
      />
      <TextArea label={t('posts:description')} isOptional rows={2} {...field('description')} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={t('posts:ownerFirstName')} isOptional autoComplete="off" {...field('owner_first_name')} />
        <TextField label={t('posts:ownerLastName')} isOptional autoComplete="off" {...field('owner_last_name')} />
      </div>
    </>
  );
}

/** What is the same for one thing after the other. */
function KeptFields({ values, set, field }: Pick<Form, 'values' | 'set' | 'field'>) {
  const { t } = useTranslation(['community', 'posts']);
  return (
    <fieldset className="grid gap-4 border-line border-t pt-4">
      <legend className="sr-only">{t('desk.staysTheSame')}</legend>
      <p className="text-muted text-sm" aria-hidden="true">
        {t('desk.staysTheSame')}
      </p>
      <TextField
        label={t('posts:location')}
        hint={t('posts:locationHint.found')}
        autoComplete="off"
        {...field('location')}
      />
      <TextField
        label={t('desk.keptAt')}
        hint={t('desk.keptAtHint')}
        isOptional
        autoComplete="off"
        maxLength={KEPT_AT_MAX_CHARS}
        {...field('kept_at')}
      />
      <TextField
        label={t('posts:phoneNumber')}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        {...field('phone_number')}
        value={values.phone_number ?? ''}
        dir="ltr"
        onChange={(event) => set('phone_number', stripPhoneSeparators(event.target.value))}
      />
    </fieldset>
  );
}

function usePosting({
  code,
  key,
  onPosted,
  onError,
}: {
  code: string;
  key: RefObject<string>;
  onPosted: (posted: Posted) => void;
  onError: (error: Error) => void;
}) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (values: DeskValues) => postAtDesk(toDeskPost(values, code), key.current),
    onSuccess(post, values) {
      // The form stays: only what counts today's is read anew at once.
      void client.invalidateQueries({ queryKey: queryKeys.posts.all, refetchType: 'none' });
      void client.invalidateQueries({ queryKey: queryKeys.posts.today });
      onPosted({ values, post });
    },
    onError(error) {
      if (isKeySpent(error)) key.current = newIdempotencyKey();
      onError(error);
    },
  });
}
