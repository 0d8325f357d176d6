import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import type { Post } from '#contract/posts.ts';
import { withTexts } from '#web/lib/i18n.ts';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { useDialogAddress } from '#web/lib/use-dialog-address.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { WantedPart } from '#web/ui/wanted-part.tsx';
import { reportPost } from './api.ts';

/** Few posts are ever reported. */
const loadDialog = withTexts(async () => (await import('#web/ui/report-dialog.tsx')).ReportDialog, 'fields');

/** The way to say that something is wrong with somebody else's post; a visitor is asked to log in first. */
export function ReportPost({ post }: { post: Post }) {
  const { t } = useTranslation('posts');
  const { pathname, search } = useLocation();
  const dialog = useDialogAddress('report', post.id);
  const button = useRef<HTMLButtonElement>(null);
  const isSignedIn = useSession() !== null;
  if (post.is_mine || post.is_hidden) return null;
  if (!isSignedIn) {
    return (
      <ButtonLink look="quiet" icon="alert" to={paths.login} state={{ from: pathname + search }} className={LOOK}>
        {t('report')}
      </ButtonLink>
    );
  }
  /** The dialog came a moment after the press, when the focus had gone on: it cannot give it back. */
  function close() {
    flushSync(dialog.close);
    button.current?.focus();
  }

  return (
    <>
      <Button ref={button} look="quiet" icon="alert" onClick={dialog.open} className={LOOK}>
        {t('report')}
      </Button>
      {dialog.isOpen && (
        <WantedPart load={loadDialog}>
          {(ReportDialog) => (
            <ReportDialog
              words={{
                title: t('report'),
                question: t('reportQuestion'),
                thanks: t('reportThanks'),
                known: t('alreadyReported'),
              }}
              about={post.title}
              send={(input, key) => reportPost(post.id, input, key)}
              onClose={close}
            />
          )}
        </WantedPart>
      )}
    </>
  );
}

/** There for whoever looks for it, and in nobody's way. */
const LOOK = 'justify-self-start px-2! text-muted! text-sm';
