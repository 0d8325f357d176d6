import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, NavLink, useLocation } from 'react-router';
import { LANGUAGES, nameOf } from '#contract/language.ts';
import { UNREAD_COUNT_MAX } from '#contract/limits.ts';
import { getSession, signOut, useSession } from '#web/api/session.ts';
import { changeLanguage, currentLanguage } from '#web/lib/i18n.ts';
import { forgetFailures, late } from '#web/lib/late.ts';
import { useUnreadNotices } from '#web/lib/notice-signals.ts';
import { paths } from '#web/lib/paths.ts';
import { readOutbox } from '#web/offline/outbox.ts';
import { hasPhotos } from '#web/offline/photos-here.ts';
import { Icon, Logo } from '#web/ui/icon.tsx';
import { showToast, ToastRegion } from '#web/ui/toast.tsx';
import { SignedInPart } from './signed-in-part.tsx';

/** The link loads after the page, because the link must ask the server whether the user is an admin. */
const lateAdminLink = late(async () => (await import('#web/admin/admin-link.tsx')).AdminLink, 'communities');

/** The navigation bar (docs/product.md S2): sticky, collapsible on a phone, closed on a route change. */
export function NavBar() {
  const { t } = useTranslation('common');
  const { isOpen, setIsOpen, button } = useMenu();

  return (
    <header className="sticky top-0 z-30 border-line border-b bg-paper/95 backdrop-blur">
      <div className="page-width flex flex-wrap items-center sm:gap-x-2">
        <Link to={paths.home} className="mr-auto flex min-h-14 items-center gap-2 font-bold text-lg">
          <Logo />
          <span className="max-[21rem]:sr-only">Patikana</span>
        </Link>
        <NoticeBell />
        <LanguageToggle />
        <button
          ref={button}
          type="button"
          className="icon-button lg:hidden"
          aria-expanded={isOpen}
          aria-controls="menu"
          aria-label={isOpen ? t('closeMenu') : t('openMenu')}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} />
        </button>
        <nav
          id="menu"
          aria-label={t('mainNavigation')}
          className={`${isOpen ? 'flex' : 'hidden'} w-full flex-col pb-3 lg:flex lg:w-auto lg:flex-row lg:items-center lg:pb-0`}
        >
          <MenuLinks />
        </nav>
      </div>
      <div className="kanga-border" />
      <ToastRegion />
    </header>
  );
}

/** @returns `button`, the ref of the menu's button, which gets the focus when Escape closes the menu. */
function useMenu() {
  const { key } = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation closes the menu, also to the same screen
  useEffect(() => setIsOpen(false), [key]);
  useEffect(() => {
    if (!isOpen) return;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // Marks the key press as handled. Otherwise the press on Escape would also close a toast.
      event.preventDefault();
      setIsOpen(false);
      button.current?.focus();
    };
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, [isOpen]);

  return { isOpen, setIsOpen, button };
}

function MenuLinks() {
  const { t } = useTranslation('common');
  const session = useSession();
  return (
    <>
      <NavLink className="nav-link" to={paths.home} end>
        {t('home')}
      </NavLink>
      <NavLink className="nav-link" to={paths.communities}>
        {t('communities')}
      </NavLink>
      <NavLink className="nav-link" to={paths.myPosts}>
        {t('myPosts')}
      </NavLink>
      {session ? (
        <>
          <NavLink className="nav-link" to={paths.claims}>
            {t('claims')}
          </NavLink>
          <NavLink className="nav-link" to={paths.account}>
            {t('account')}
          </NavLink>
          <SignedInPart key={session.userId} part={lateAdminLink} />
          <LogOutButton />
        </>
      ) : (
        <>
          <NavLink className="nav-link" to={paths.login}>
            {t('login')}
          </NavLink>
          <NavLink className="nav-link" to={paths.register}>
            {t('createAccount')}
          </NavLink>
        </>
      )}
    </>
  );
}

/** Buttons that switch to another language, each labelled with the language's own name. */
function LanguageToggle() {
  useTranslation();
  const others = LANGUAGES.filter((language) => language !== currentLanguage());
  return others.map((other, place) => (
    <button
      // After a press, React keeps the button and changes only its text and language, so that the focus stays on it.
      // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies the button
      key={place}
      type="button"
      lang={other}
      className="nav-link px-2! font-semibold text-accent sm:px-3!"
      onClick={() => changeLanguage(other)}
    >
      {nameOf(other)}
    </button>
  ));
}

/** For signed-in users: the link to their notices, with the number of unread ones. */
export function NoticeBell() {
  const { t } = useTranslation('common');
  const { notices, claims } = useUnreadNotices();
  const count = notices + claims;
  if (!useSession()) return null;
  return (
    <NavLink
      className="icon-button relative aria-[current=page]:bg-accent-soft"
      to={paths.notices}
      aria-label={t(claims > 0 ? 'bellWithClaims' : 'bell', { count })}
    >
      <Icon name="bell" />
      {count > 0 && (
        <span
          aria-hidden="true"
          className="absolute top-0.5 right-0 min-w-5 rounded-full bg-danger px-1 text-center font-bold text-surface text-xs leading-5"
        >
          {count >= UNREAD_COUNT_MAX ? `${UNREAD_COUNT_MAX - 1}+` : count}
        </span>
      )}
    </NavLink>
  );
}

const lateQuestion = late(
  async () => (await import('#web/offline/log-out-dialog.tsx')).LogOutDialog,
  'logOut',
  'photos',
);

/** Signs out. Asks first if posts, photos or drafts are waiting on this phone, because signing out deletes them. */
export function LogOutButton() {
  const { t } = useTranslation('common');
  const [isAsking, setIsAsking] = useState(false);
  const Question = isAsking ? lateQuestion.get() : null;

  function logOut() {
    if (readOutbox().length === 0 && !hasPhotos() && !hasDrafts()) return signOut();
    forgetFailures();
    lateQuestion.load().then(
      () => setIsAsking(true),
      () => showToast.error(t('genericError')),
    );
  }

  return (
    <>
      <button type="button" className="nav-link text-left" onClick={logOut}>
        {t('logout')}
      </button>
      {Question && <Question onStay={() => setIsAsking(false)} />}
    </>
  );
}

/** Whether the phone stores any draft of the user. `LogOutDialog` then checks whether a draft contains text. */
function hasDrafts(): boolean {
  return Object.keys(localStorage).some((key) => key.includes(`Draft:${getSession()?.userId}`));
}
