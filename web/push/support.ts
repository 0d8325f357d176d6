/** What this browser supports: pushes, pushes only once the app is on the home screen (iPhones), or none. */
type PushSupport = 'here' | 'home-screen-first' | 'none';

export function pushSupport(): PushSupport {
  if ('PushManager' in window && 'Notification' in window && 'serviceWorker' in navigator) return 'here';
  return isIphone() && !isOnHomeScreen() ? 'home-screen-first' : 'none';
}

/** Whether this is an iPhone or iPad. An iPad identifies itself as a Mac, but has a touch screen. */
function isIphone(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1);
}

function isOnHomeScreen(): boolean {
  return (navigator as { standalone?: boolean }).standalone === true;
}

/** Whether the user has allowed notifications here; false if they have not been asked. */
export function arePushesAllowed(): boolean {
  return pushSupport() === 'here' && Notification.permission === 'granted';
}

/** Whether the user has blocked notifications: then no page can ask again. */
export function arePushesRefused(): boolean {
  return pushSupport() === 'here' && Notification.permission === 'denied';
}
