import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CreatedCommunity } from '#contract/communities.ts';
import { useSession } from '#web/lib/session.ts';
import { useDialogAddress } from '#web/lib/use-dialog-address.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { CommunityList } from './community-list.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { CreateForm } from './create-form.tsx';
import { JoinForm } from './join-form.tsx';
import { LoginBanner } from './login-banner.tsx';

/** /communities (docs/product.md S7). */
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
            {/* A new form for every community, so that the one before leaves nothing behind. */}
            <CreateForm
              key={created?.id}
              onCreated={(community) => {
                setCreated(community);
                // The button that was pressed goes with its form.
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
            <Button look="secondary" icon="plus" onClick={creating.open}>
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
