import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import type { Post } from '#contract/posts.ts';
import { useSession } from '#web/api/session.ts';
import { useDialogAddress } from '#web/lib/address.ts';
import { late } from '#web/lib/late.ts';
import { paths } from '#web/lib/paths.ts';
import { reportPost } from '#web/posts/api.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { WantedPart } from '#web/ui/late.tsx';

/** Loaded on demand, because users rarely report a post or block its author. */
const lateReportDialog = late(async () => (await import('./report-dialog.tsx')).ReportDialog, 'fields');
const lateBlockDialog = late(async () => (await import('./block-dialog.tsx')).BlockDialog);

type PostProps = { post: Post };
type ActionProps = PostProps & { className: string; onPress?: () => void };
type DialogProps = PostProps & {
  /** Receives the focus when the dialog closes. */
  opener: RefObject<HTMLButtonElement | null>;
};

/**
 * Buttons that report a post and block its author, on the post's own page.
 * @param onBlocked leaves the page, because the user can no longer see the post.
 */
export function ReportAndBlock({ post, onBlocked }: PostProps & { onBlocked: () => void }) {
  const report = useRef<HTMLButtonElement>(null);
  const block = useRef<HTMLButtonElement>(null);
  const look = 'justify-self-start px-2! text-muted! text-sm';
  return (
    <>
      <div className="flex flex-wrap gap-x-2 empty:hidden">
        <ReportAction ref={report} post={post} className={look} />
        <BlockAction ref={block} post={post} className={look} />
      </div>
      <ReportPost post={post} opener={report} />
      <BlockAuthor post={post} opener={block} onBlocked={onBlocked} />
    </>
  );
}

/** Reporting and blocking behind one button, on a card of a list. */
export function MoreOfPost({ post }: PostProps) {
  const { t } = useTranslation('posts');
  const button = useRef<HTMLButtonElement>(null);
  if (post.is_mine) return null;
  const look = 'w-full justify-start! text-start! text-ink! hover:bg-sunken!';
  return (
    <>
      <Disclosure button={button} label={t('more', { title: post.title })}>
        {(close) => (
          <>
            <ReportAction post={post} className={look} onPress={close} />
            <BlockAction post={post} className={look} onPress={close} />
          </>
        )}
      </Disclosure>
      <ReportPost post={post} opener={button} />
      <BlockAuthor post={post} opener={button} />
    </>
  );
}

/** A button with a panel below it. The panel closes on Escape, on a press outside, and when Tab moves the focus out. */
function Disclosure({
  button,
  label,
  children,
}: {
  button: RefObject<HTMLButtonElement | null>;
  label: string;
  children: (close: () => void) => ReactNode;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const panelId = useId();

  /** Moves the focus to the button, because the focused element is removed with the panel. */
  function close() {
    setIsOpen(false);
    button.current?.focus();
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: `close` reads nothing that changes
  useEffect(() => {
    if (!isOpen) return;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // Marks the key as used: otherwise Escape would also close a toast.
      event.preventDefault();
      close();
    };
    const closeOutside = ({ target }: Event) => {
      if (!box.current?.contains(target as Node)) setIsOpen(false);
    };
    document.addEventListener('keydown', closeOnEscape);
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    return () => {
      document.removeEventListener('keydown', closeOnEscape);
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
    };
  }, [isOpen]);

  return (
    <div ref={box} className="relative -my-2.5 -me-2">
      <button
        ref={button}
        type="button"
        className="icon-button text-muted"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon name="more" />
      </button>
      {isOpen && (
        <div
          id={panelId}
          className="absolute end-0 top-full z-20 grid w-max max-w-64 rounded-xl border border-line bg-surface p-1 shadow-lg"
        >
          {children(close)}
        </div>
      )}
    </div>
  );
}

/** Opens the dialog that reports a post. A visitor logs in first. */
function ReportAction({ post, onPress, className, ref }: ActionProps & { ref?: RefObject<HTMLButtonElement | null> }) {
  const { t } = useTranslation('posts');
  const { pathname, search } = useLocation();
  const { open } = useDialogAddress('report', post.id);
  const isSignedIn = useSession() !== null;
  if (post.is_mine || post.is_hidden) return null;
  if (!isSignedIn) {
    return (
      <ButtonLink look="quiet" icon="alert" to={paths.login} state={{ from: pathname + search }} className={className}>
        {t('report')}
      </ButtonLink>
    );
  }
  return (
    <Button ref={ref} look="quiet" icon="alert" onClick={inTurn(onPress, open)} className={className}>
      {t('report')}
    </Button>
  );
}

function BlockAction({ post, onPress, className, ref }: ActionProps & { ref?: RefObject<HTMLButtonElement | null> }) {
  const { t } = useTranslation('posts');
  const { open } = useDialogAddress('block', post.id);
  const isSignedIn = useSession() !== null;
  if (post.is_mine || !isSignedIn) return null;
  return (
    <Button ref={ref} look="quiet" icon="userOff" onClick={inTurn(onPress, open)} className={className}>
      {t('block')}
    </Button>
  );
}

function inTurn(first: (() => void) | undefined, second: () => void) {
  return () => {
    first?.();
    second();
  };
}

function ReportPost({ post, opener }: DialogProps) {
  const { t } = useTranslation('posts');
  const dialog = useDialogAddress('report', post.id);
  const isSignedIn = useSession() !== null;
  if (!dialog.isOpen || post.is_mine || post.is_hidden || !isSignedIn) return null;

  function close() {
    flushSync(dialog.close);
    opener.current?.focus();
  }

  return (
    <WantedPart part={lateReportDialog}>
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
  );
}

function BlockAuthor({ post, opener, onBlocked }: DialogProps & { onBlocked?: () => void }) {
  const dialog = useDialogAddress('block', post.id);
  const isSignedIn = useSession() !== null;
  if (!dialog.isOpen || post.is_mine || !isSignedIn) return null;

  function close(isBlocked: boolean) {
    if (isBlocked && onBlocked) onBlocked();
    else flushSync(dialog.close);
    // After a block the card and its button are removed, so the page's content gets the focus.
    (isBlocked ? document.getElementById('content') : opener.current)?.focus();
  }

  return <WantedPart part={lateBlockDialog}>{(BlockDialog) => <BlockDialog post={post} onClose={close} />}</WantedPart>;
}
