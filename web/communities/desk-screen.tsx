import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { CommunityPage } from '#contract/communities.ts';
import { KEPT_AT_MAX_CHARS, type Post, postInputSchema } from '#contract/posts.ts';
import { stripPhoneSeparators } from '#contract/typed-numbers.ts';
import { failureText, newIdempotencyKey } from '#web/api/client.ts';
import { meQuery } from '#web/api/me.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { useSession } from '#web/api/session.ts';
import { CommunityFrame } from '#web/communities/community/community-frame.tsx';
import {
  type DeskDraft,
  type DeskValues,
  deskKey,
  keepDesk,
  nextDesk,
  postAtDesk,
  readDesk,
  toDeskPost,
  todayQuery,
} from '#web/communities/desk/desk.ts';
import { PrintList } from '#web/communities/desk/print-list.tsx';
import { formatNumber } from '#web/lib/format.ts';
import { communityPath } from '#web/lib/paths.ts';
import { hasComeThrough, isKeySpent } from '#web/offline/outbox-changes.ts';
import { PendingPosts } from '#web/offline/pending-posts.tsx';
import { CameThrough } from '#web/posts/form/came-through.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { useForm, useKeptValues } from '#web/ui/form.ts';
import { thingNumber } from './thing-number.ts';

/** /communities/{id}/desk: an office posts the items in its lost-property cupboard, one after the other. */
export function DeskScreen() {
  return (
    <CommunityFrame skeleton={<div className="skeleton h-96 w-full" aria-busy="true" />}>
      {(community) => <OpenDesk key={community.id} community={community} />}
    </CommunityFrame>
  );
}

function OpenDesk({ community }: { community: CommunityPage }) {
  const { t } = useTranslation('community');
  const { id, member_role, approval_status } = community;
  if (member_role === 'admin' && approval_status === 1) return <Desk community={community} />;
  return (
    <EmptyState icon="users" title={t(member_role === 'admin' ? 'desk.notOpenYet' : 'adminsOnly')}>
      <ButtonLink to={communityPath(id)}>{t('openMembersPage')}</ButtonLink>
    </EmptyState>
  );
}

function Desk({ community: { id, community_code: code } }: { community: CommunityPage }) {
  const { t } = useTranslation('community');
  const viewerId = useSession()?.userId ?? null;
  const key = deskKey(viewerId, id);
  const [draft, setDraft] = useState(() => readDesk(key));
  const [last, setLast] = useState<{ title: string; post: Post | null } | null>(null);
  const title = useRef<HTMLInputElement>(null);
  const today = useQuery(todayQuery(viewerId, code));

  /** Starts the next draft with the same place and phone number, and moves the focus to its first field. */
  function goOn({ values, post }: Posted) {
    const next = nextDesk(values);
    keepDesk(key, next);
    flushSync(() => {
      setLast({ title: values.title, post });
      setDraft(next);
    });
    title.current?.focus();
  }

  return (
    <div className="mx-auto grid w-full max-w-xl gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2>{t('desk.title')}</h2>
        {today.data !== undefined && (
          <p className="text-muted">{t('desk.today', { count: today.data, posts: formatNumber(today.data) })}</p>
        )}
      </div>
      <p className="text-muted">{t('desk.text')}</p>
      {/* Rendered from the start: a screen reader ignores a live region that appears together with its text. */}
      <div role="status">{last && <LastPosted {...last} />}</div>
      <DeskForm key={draft.idempotencyKey} place={key} draft={draft} code={code} titleRef={title} onPosted={goOn} />
      <PendingPosts />
      <PrintList code={code} />
    </div>
  );
}

function LastPosted({ title, post }: { title: string; post: Post | null }) {
  const { t } = useTranslation('community');
  return (
    <Banner tone={post ? 'success' : 'notice'}>
      <span className="wrap-anywhere">
        {post ? t('desk.posted', { title, number: thingNumber(post.id) }) : t('desk.kept', { title })}
      </span>
    </Banner>
  );
}

type Posted = { values: DeskValues; post: Post | null };
type Props = {
  /** The storage key of the draft. */
  place: string;
  draft: DeskDraft;
  code: string;
  titleRef: RefObject<HTMLInputElement | null>;
  onPosted: (posted: Posted) => void;
};

/** The form for one item. The item's own fields come first, then the fields that stay the same for the next item. */
function DeskForm({ place, draft, code, titleRef, onPosted }: Props) {
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

  /**
   * Lets the next submit create another post. The pressed button disappears with its banner, so this function moves the
   * focus to the form's submit button.
   */
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
        posting.error && <Banner tone="error">{failureText(posting.error, t('failed'), t('noAnswer'))}</Banner>
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

/** The fields that stay the same from one item to the next. */
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
      // This screen shows no list of posts, so only today's count is refetched at once.
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
