import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, NavLink, useLocation } from 'react-router';
import { withTexts } from '#web/lib/i18n.ts';
import { paths } from '#web/lib/paths.ts';
import { useSession } from '#web/lib/session.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { ToastRegion } from '#web/ui/toast.tsx';
import { LanguageToggle } from './language-toggle.tsx';
import { LogOutButton } from './log-out-button.tsx';
import { NoticeBell } from './notice-bell.tsx';
import { SignedInPart } from './signed-in-part.tsx';

/** Its code and the question who asks come after the page's own. */
const loadAdminLink = withTexts(async () => (await import('#web/admin/admin-link.tsx')).AdminLink, 'communities');

/** The navigation bar (docs/product.md S2): sticky, collapsible on a phone, closed by a change of route. */
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

/** @returns with `button` the ref of what opens it, which the focus goes back to. */
function useMenu() {
  const { key } = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: going somewhere, be it to the same screen, closes the menu
  useEffect(() => setIsOpen(false), [key]);
  useEffect(() => {
    if (!isOpen) return;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // The key is used up: a message stays.
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
          <SignedInPart key={session.userId} load={loadAdminLink} />
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
