/**
 * What this browser can do: show notices that are pushed to it; show them once the app is on the home screen, as
 * iPhones have it; or nothing of the kind.
 */
type PushSupport = 'here' | 'home-screen-first' | 'none';

export function pushSupport(): PushSupport {
  if ('PushManager' in window && 'Notification' in window && 'serviceWorker' in navigator) return 'here';
  return isIphone() && !isOnHomeScreen() ? 'home-screen-first' : 'none';
}

/** An iPad passes for a Mac, but for its touch screen. */
function isIphone(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1);
}

function isOnHomeScreen(): boolean {
  return (navigator as { standalone?: boolean }).standalone === true;
}

/** Whether the reader has allowed notifications here; without a word from them neither. */
export function arePushesAllowed(): boolean {
  return pushSupport() === 'here' && Notification.permission === 'granted';
}

/** Whether the reader has refused them, after which no page may ask again. */
export function arePushesRefused(): boolean {
  return pushSupport() === 'here' && Notification.permission === 'denied';
}
