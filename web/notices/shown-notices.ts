const PREFIX = 'shownNotices:';
/** More than a mailbox is likely to hold; the oldest go first. */
const KEPT = 300;

/** Whether this browser has shown the notice, in whichever tab and however long ago. */
export function wasShown(userId: string, noticeId: string): boolean {
  return read(userId).includes(noticeId);
}

/**
 * Takes the notice for this tab.
 * @returns false when this or another tab has shown it.
 */
export async function claimNotice(userId: string, noticeId: string): Promise<boolean> {
  const claim = () => {
    const shown = read(userId);
    if (shown.includes(noticeId)) return false;
    write(userId, [...shown, noticeId].slice(-KEPT));
    return true;
  };
  // Two tabs may ask at the same moment, and local storage has no lock of its own.
  return 'locks' in navigator ? navigator.locks.request(PREFIX + userId, claim) : claim();
}

function read(userId: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(PREFIX + userId) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}

function write(userId: string, shown: string[]): void {
  try {
    localStorage.setItem(PREFIX + userId, JSON.stringify(shown));
  } catch {
    // A full storage: the notice may be shown again after a reload, which is better than not at all.
  }
}
