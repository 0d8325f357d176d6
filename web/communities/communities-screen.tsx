import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CreatedCommunity, communityInputSchema } from '#contract/communities.ts';
import { COMMUNITY_DESCRIPTION_MAX_CHARS, COMMUNITY_NAME_MAX_CHARS } from '#contract/limits.ts';
import { ApiError } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { useSession } from '#web/api/session.ts';
import { CommunityList } from '#web/communities/list/community-list.tsx';
import { JoinForm } from '#web/communities/list/join-form.tsx';
import { useDialogAddress } from '#web/lib/address.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialogs.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { useForm } from '#web/ui/form.ts';
import { createCommunity } from './api.ts';

/** /communities: the user's communities, and how to join or create one (docs/product.md S7). */
export function CommunitiesScreen() {
  const { t } = useTranslation('communities');
  const [created, setCreated] = useState<CreatedCommunity | null>(null);
  const creating = useDialogAddress('dialog', 'create');
  const list = useRef<HTMLElement>(null);
  const isVisitor = useSession() === null;

  return (
    <div className="grid gap-5">
      <div className="grid gap-1">
        <h1>{t('title')}</h1>
        <p className="lead">{t('intro')}</p>
      </div>
      {isVisitor && <LoginBanner />}
      <div className="grid items-start gap-6 lg:grid-cols-3">
        <div className="grid gap-6">
          <JoinForm />
          <section className="card hidden gap-4 lg:grid" aria-labelledby="create-community">
            <div className="grid gap-1">
              <h2 id="create-community">{t('createTitle')}</h2>
              <p className="text-muted text-sm">{t('createText')}</p>
            </div>
            {/* The key changes with every created community, so that the form starts empty. */}
            <CreateForm
              key={created?.id}
              onCreated={(community) => {
                setCreated(community);
                // The new key replaces the form and its pressed button, so the focus moves to the list.
                list.current?.focus({ preventScroll: true });
              }}
            />
          </section>
        </div>
        <section
          ref={list}
          tabIndex={-1}
          className="grid gap-4 outline-none lg:col-span-2"
          aria-labelledby="your-communities"
        >
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h2 id="your-communities">{t('yourCommunities')}</h2>
            <Button look="secondary" icon="plus" className="lg:hidden" onClick={creating.open}>
              {t('createTitle')}
            </Button>
          </div>
          <Banner tone="success">{created && t('created', { name: created.name })}</Banner>
          <CommunityList />
        </section>
      </div>
      {creating.isOpen && (
        <CreateDialog
          onClose={creating.close}
          onCreated={(community) => {
            creating.close();
            setCreated(community);
          }}
        />
      )}
    </div>
  );
}

/** How long the banner stays (docs/product.md S7). */
const BANNER_MS = 5_000;

/**
 * Tells a visitor for a few seconds why the page is empty. The banner's space stays reserved, so that no button moves.
 */
function LoginBanner() {
  const { t } = useTranslation('communities');
  const [isShown, setIsShown] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(false), BANNER_MS);
    return () => clearTimeout(timer);
  }, []);
  return <div className="min-h-18 sm:min-h-12">{isShown && <Banner tone="notice">{t('loginBanner')}</Banner>}</div>;
}

/**
 * The dialog that creates a community, for screens too small for the form. At most 500 px wide (docs/product.md T6).
 */
function CreateDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (community: CreatedCommunity) => void;
}) {
  const { t } = useTranslation('communities');
  return (
    <Dialog title={t('createTitle')} onClose={onClose}>
      <p className="text-muted">{t('createText')}</p>
      <CreateForm onCreated={onCreated} />
    </Dialog>
  );
}

const EMPTY = { name: '', description: '' };

function CreateForm({ onCreated }: { onCreated: (community: CreatedCommunity) => void }) {
  const { t } = useTranslation('communities');
  const queryClient = useQueryClient();
  const { form, field, submit, showServerErrors } = useForm({
    schema: communityInputSchema,
    initial: EMPTY,
  });
  const creation = useMutation({
    mutationFn: ({ name, description }: typeof EMPTY) =>
      createCommunity({ name: name.trim(), description: description.trim() }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: queryKeys.communities.all }),
    onError: (error: Error) => void showServerErrors(error),
  });

  return (
    <form
      ref={form}
      noValidate
      className="grid gap-4"
      onSubmit={submit((input) => {
        if (!creation.isPending) creation.mutate(input, { onSuccess: onCreated });
      })}
    >
      {creation.error && !isAboutFields(creation.error) && (
        <Banner tone="error">{explain(creation.error, t('createFailed'))}</Banner>
      )}
      <TextField
        label={t('name')}
        hint={t('nameHint')}
        autoComplete="off"
        maxLength={COMMUNITY_NAME_MAX_CHARS}
        {...field('name')}
      />
      <TextArea
        label={t('description')}
        hint={t('descriptionHint')}
        isOptional
        rows={3}
        maxLength={COMMUNITY_DESCRIPTION_MAX_CHARS}
        {...field('description')}
      />
      <Button type="submit" isBusy={creation.isPending} busyLabel={t('creating')}>
        {t('create')}
      </Button>
    </form>
  );
}

/** Whether the error is already shown beside fields of the form. */
function isAboutFields(error: Error): boolean {
  return error instanceof ApiError && error.errors.length > 0;
}

/** Returns the server's detail, else the error's own message, else a general sentence. */
function explain(error: Error, fallback: string): string {
  return error instanceof ApiError ? error.detail || fallback : error.message || fallback;
}
