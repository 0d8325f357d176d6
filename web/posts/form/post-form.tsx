import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { type Post, postInputSchema } from '#contract/posts.ts';
import { isIdentifier } from '#contract/typed-numbers.ts';
import { meQuery } from '#web/api/me.ts';
import { useSession } from '#web/api/session.ts';
import { PhotoField } from '#web/photos/photo-field.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { useForm, useKeptValues } from '#web/ui/form.ts';
import { CommunityField } from './community-field.tsx';
import { MoreDetails } from './more-details.tsx';
import { type PostFormValues, VISITORS_DRAFT } from './post-draft.ts';
import { PostFields } from './post-fields.tsx';
import { isAboutDocument, isOfLostPhone } from './read-words.ts';
import { AccountNotice, SubmitPart } from './submit-part.tsx';
import { useDraft, usePostSubmit } from './use-post-submit.ts';

type PostFormProps = { post: Post | null; saved: PostFormValues; draftKey: string; takesFocus?: boolean };

/**
 * The form. While it is edited, its input is stored as a draft. Starting over mounts a new, empty form.
 * @param post the post to edit, or null to create one.
 * @param saved the initial values.
 * @param draftKey the storage key of the draft.
 * @param takesFocus whether the form takes the focus, because the button that led to it has been removed.
 */
export function PostForm({ takesFocus = false, ...props }: PostFormProps) {
  const [round, setRound] = useState(0);
  return (
    <DraftForm key={round} {...props} takesFocus={takesFocus || round > 0} onStartOver={() => setRound(round + 1)} />
  );
}

function DraftForm({ post, saved, draftKey, takesFocus, onStartOver }: PostFormProps & { onStartOver: () => void }) {
  const { t } = useTranslation('posts');
  const draft = useDraft(draftKey, saved);
  const accountNumber = useAccountNumber();
  const { form, submit, showServerErrors, ...fields } = useForm({
    schema: postFormSchema,
    initial: draft.initial,
    complete: (typed) => fillNumber(typed, accountNumber),
  });
  useKeptValues(fields.typed, draft.keep);
  const submission = usePostSubmit(post?.id ?? null, draft, showServerErrors);

  useEffect(() => {
    if (takesFocus) form.current?.querySelector<HTMLElement>('[name=title]')?.focus();
  }, [form, takesFocus]);

  function startOver() {
    draft.finish();
    onStartOver();
  }

  return (
    <form ref={form} noValidate className="card grid gap-4" onSubmit={submit(submission.submit)}>
      {!submission.asksForAccount && <AccountNotice />}
      {draft.isRestored && !submission.success && (
        <RestoredNotice
          isVisitors={draftKey === VISITORS_DRAFT}
          isLocked={submission.isLocked}
          onStartOver={startOver}
        />
      )}
      <PostFields {...fields} />
      <PhotoField
        place={draft.place}
        post={post}
        isOfDocument={post ? post.kind === 'document' : isAboutDocument(fields.values.title)}
      />
      <CommunityField value={fields.values.community_code} onChange={(code) => fields.set('community_code', code)} />
      <MoreDetails {...fields} />
      <SubmitPart submission={submission} label={post === null ? t('create') : t('saveChanges')} />
    </form>
  );
}

/**
 * Fills in the account's phone number, unless the user has lost this phone or posts for somebody else: people could not
 * reach the owner by this number.
 */
function fillNumber(typed: PostFormValues, accountNumber: string | null): PostFormValues {
  const number = isOfLostPhone(typed) || typed.on_behalf ? null : accountNumber;
  return { ...typed, phone_number: typed.phone_number ?? number ?? '' };
}

/** Says that the form contains a stored draft. @param isVisitors whether the draft was written before the sign-in. */
function RestoredNotice({
  isVisitors,
  isLocked,
  onStartOver,
}: {
  isVisitors: boolean;
  isLocked: boolean;
  onStartOver: () => void;
}) {
  const { t } = useTranslation('posts');
  const isReady = useSession() !== null && isVisitors;
  const startOver = (
    <button type="button" className="link py-1" disabled={isLocked} onClick={onStartOver}>
      {t('startOver')}
    </button>
  );
  if (!isReady) {
    return (
      <Banner tone="notice">
        {t('draftRestored')} {startOver}
      </Banner>
    );
  }
  return (
    <Banner tone="success">
      <p className="mb-2">{t('draftReady')}</p>
      {/* This button is at the top, where the user returns after the sign-in: the form's own button is far below. */}
      <div className="flex flex-wrap items-center gap-4">
        <Button type="submit" isBusy={isLocked}>
          {t('sendNow')}
        </Button>
        {startOver}
      </div>
    </Banner>
  );
}

/** Returns the account's phone number; null until it is loaded. */
function useAccountNumber(): string | null {
  const isSignedIn = useSession() !== null;
  const { data } = useQuery({ ...meQuery, enabled: isSignedIn });
  return data?.whatsapp_number ?? null;
}

const typedIdentifierSchema = z
  .string()
  .check(z.refine((typed) => typed.trim() === '' || isIdentifier(typed), { error: 'identifier_invalid' }));

/** The schema of the form: a post with a separate field for each of its two identifiers. */
const postFormSchema = z.extend(postInputSchema, {
  identifier: typedIdentifierSchema,
  second_identifier: typedIdentifierSchema,
});
