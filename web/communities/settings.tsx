import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CommunityPage } from '#contract/communities.ts';
import { COMMUNITY_CLOSES_DAYS } from '#contract/limits.ts';
import { Button } from '#web/ui/button.tsx';
import { closeCommunity } from './api.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { LeaveCommunity } from './leave-community.tsx';
import { RenewDialog } from './renew-dialog.tsx';
import { SettingsForm } from './settings-form.tsx';
import { useStep } from './use-step.ts';

/** What a community's admins set. Its members and who asks to join stand under their own tab. */
export function Settings({ community }: { community: CommunityPage }) {
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <SettingsForm community={community} />
      <div className="grid gap-5">
        <AccessCode community={community} />
        <Ending community={community} />
      </div>
    </div>
  );
}

function AccessCode({ community: { id } }: { community: CommunityPage }) {
  const { t } = useTranslation('community');
  const [isAsking, setIsAsking] = useState(false);
  return (
    <section className="card grid gap-3" aria-labelledby="new-code">
      <h2 id="new-code">{t('newCode')}</h2>
      <p className="text-muted text-sm">{t('newCodeText')}</p>
      <Button look="secondary" icon="qr" className="justify-self-start" onClick={() => setIsAsking(true)}>
        {t('renew')}
      </Button>
      {isAsking && <RenewDialog communityId={id} onClose={() => setIsAsking(false)} />}
    </section>
  );
}

/** The two ways to be done with it: somebody else runs it on, or it closes. */
function Ending({ community }: { community: CommunityPage }) {
  const { t } = useTranslation('community');
  const [isAsking, setIsAsking] = useState(false);
  const closing = useStep({
    take: () => closeCommunity(community.id),
    doneText: t('closing', { name: community.name }),
    onDone: () => setIsAsking(false),
  });
  return (
    <section className="card grid gap-3" aria-labelledby="ending">
      <h2 id="ending">{t('ending')}</h2>
      <p className="text-muted text-sm">{t('endingText')}</p>
      {community.closes_at === null && (
        <Button look="secondary" className="justify-self-start text-danger" onClick={() => setIsAsking(true)}>
          {t('closeCommunity')}
        </Button>
      )}
      <LeaveCommunity community={community} />
      {isAsking && (
        <ConfirmDialog
          title={t('closeTitle', { name: community.name })}
          action={t('closeIt')}
          step={closing}
          onConfirm={() => closing.mutate()}
          onClose={() => setIsAsking(false)}
        >
          <p>{t('closeText', { count: COMMUNITY_CLOSES_DAYS })}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
