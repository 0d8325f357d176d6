import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { type ApprovedCommunity, joinRequestInputSchema } from '#contract/communities.ts';
import { JOIN_REQUEST_MAX_CHARS, SEARCH_MAX_CHARS } from '#contract/limits.ts';
import { failureText, newIdempotencyKey } from '#web/api/client.ts';
import { rowsOf } from '#web/api/queries.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { useSession } from '#web/api/session.ts';
import { CommunityCardSkeleton } from '#web/communities/list/community-card.tsx';
import { useDialogAddress, useTypedParam } from '#web/lib/address.ts';
import { formatNumber } from '#web/lib/format.ts';
import { communityPath, paths } from '#web/lib/paths.ts';
import { useAction } from '#web/ui/action.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { SearchField } from '#web/ui/choice-fields.tsx';
import { ConfirmButtons, Dialog } from '#web/ui/dialogs.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TextArea } from '#web/ui/field.tsx';
import { useForm } from '#web/ui/form.ts';
import { Icon } from '#web/ui/icon.tsx';
import { LoginNeeded, QueryState, useFailure } from '#web/ui/query-state.tsx';
import { askToJoin, listedQuery } from './api.ts';

/** /communities/find: finds communities by name and asks to join one. */
export function FindScreen() {
  const { t } = useTranslation(['community', 'communities']);
  const isSignedIn = useSession() !== null;
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-4">
      <Link to={paths.communities} className="link flex min-h-11 items-center gap-2 justify-self-start">
        <Icon name="back" />
        {t('back')}
      </Link>
      <div className="grid gap-1">
        <h1>{t('findTitle')}</h1>
        <p className="lead">{t('findText')}</p>
      </div>
      {isSignedIn ? (
        <Listed />
      ) : (
        <LoginNeeded icon="users" title={t('communities:loginTitle')} label={t('communities:login')} />
      )}
    </div>
  );
}

function Listed() {
  const { t } = useTranslation(['community', 'communities']);
  const { settled, typed, setTyped } = useTypedParam('search');
  const region = useRef<HTMLElement>(null);
  const list = useInfiniteQuery({ ...listedQuery(settled.trim()), placeholderData: keepPreviousData });
  const failure = useFailure(list);
  const communities = failure ? undefined : list.data && rowsOf(list.data);
  return (
    <section ref={region} tabIndex={-1} aria-label={t('findTitle')} className="grid gap-4 outline-none">
      <SearchField
        label={t('findLabel')}
        clearLabel={t('communities:clearSearch')}
        maxLength={SEARCH_MAX_CHARS}
        value={typed}
        onChange={setTyped}
      />
      {/* Rendered from the start: a screen reader ignores a live region that appears together with its text. */}
      <p role="status" className="sr-only">
        {communities && t('communitiesShown', { count: communities.length })}
      </p>
      <QueryState
        query={list}
        failed={t('communities:fetchFailed')}
        wording={failureText}
        skeleton={
          <div className="grid gap-3" aria-busy="true">
            <CommunityCardSkeleton />
            <CommunityCardSkeleton />
          </div>
        }
        empty={
          communities?.length === 0 && (
            <EmptyState icon="search" title={t(settled ? 'noneFound' : 'noneListed')} text={t('noneFoundText')} />
          )
        }
        more={t('moreCommunities')}
      >
        {() => (
          <ul className="grid gap-3" aria-busy={list.isPlaceholderData}>
            {communities?.map((community) => (
              <ListedCommunity key={community.id} community={community} onAsked={() => region.current?.focus()} />
            ))}
          </ul>
        )}
      </QueryState>
    </section>
  );
}

type ListedCommunityProps = {
  community: ApprovedCommunity;
  /** Moves the focus, because the community's "Ask to join" button is removed. */
  onAsked: () => void;
};

/**
 * A community in the list. A non-member gets a button to ask to join, or reads that the request waits. A member gets a
 * link to the community's page.
 */
function ListedCommunity({ community, onAsked }: ListedCommunityProps) {
  const { t } = useTranslation('community');
  const { id, name, description, member_count, is_member, has_requested } = community;
  const dialog = useDialogAddress('ask', id);
  return (
    <li className="card grid gap-3">
      <div className="grid gap-1">
        <h2 dir="auto" className="break-words font-bold text-lg">
          {name}
        </h2>
        {description && (
          <p dir="auto" className="wrap-anywhere line-clamp-3 text-muted">
            {description}
          </p>
        )}
        <p className="text-muted text-sm">
          {t('memberCount', { count: member_count, members: formatNumber(member_count) })}
        </p>
      </div>
      {is_member && (
        <ButtonLink look="secondary" className="justify-self-start" to={communityPath(id)}>
          {t('openMembersPage')}
        </ButtonLink>
      )}
      {!is_member && has_requested && (
        <div className="grid justify-items-start gap-1">
          <Badge tone="lost" icon="clock">
            {t('hasAsked')}
          </Badge>
          <p className="text-muted text-sm">{t('hasAskedText')}</p>
        </div>
      )}
      {!is_member && !has_requested && (
        <Button className="justify-self-start" aria-label={t('askNamed', { name })} onClick={dialog.open}>
          {t('ask')}
        </Button>
      )}
      {!is_member && !has_requested && dialog.isOpen && (
        <AskToJoinDialog
          community={community}
          onClose={dialog.close}
          onAsked={() => {
            flushSync(dialog.close);
            onAsked();
          }}
        />
      )}
    </li>
  );
}

type AskToJoinDialogProps = { community: ApprovedCommunity; onAsked: () => void; onClose: () => void };

/** A dialog to ask to join, with an optional message to the community's admins, who accept or decline the request. */
function AskToJoinDialog({ community: { id, name }, onAsked, onClose }: AskToJoinDialogProps) {
  const { t } = useTranslation('community');
  // A repeated request with the same key counts once.
  const [key, setKey] = useState(newIdempotencyKey);
  const { form, field, set, submit } = useForm({ schema: joinRequestInputSchema, initial: { message: '' } });
  const asking = useAction({
    run: ({ message }: { message: string }) => askToJoin(id, message, key),
    done: t('askSent', { name }),
    // If the user has closed the dialog with the back button in the meantime, the focus stays where it is.
    onDone: () => form.current && onAsked(),
    stale: [queryKeys.communities.all],
  });
  const { onChange: _kept, ...message } = field('message');
  return (
    <Dialog title={t('askTitle', { name })} onClose={onClose}>
      <form
        ref={form}
        noValidate
        className="grid gap-4"
        onSubmit={submit((typed) => !asking.isPending && asking.mutate(typed))}
      >
        {asking.error && <Banner tone="error">{failureText(asking.error, t('failed'), t('noAnswer'))}</Banner>}
        <TextArea
          label={t('askMessage')}
          hint={t('askHint')}
          isOptional
          rows={3}
          maxLength={JOIN_REQUEST_MAX_CHARS}
          {...message}
          onChange={(event) => {
            set('message', event.target.value);
            // A changed text makes another request, which needs a new key.
            setKey(newIdempotencyKey());
          }}
        />
        <ConfirmButtons
          label={t('askSend')}
          look="primary"
          isBusy={asking.isPending || asking.isSuccess}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}
