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
  if (!(await holdForGood(`${PREFIX}${userId}:${noticeId}`)) || wasShown(userId, noticeId)) return false;
  const remember = () => write(userId, [...read(userId), noticeId].slice(-KEPT));
  // Two tabs may write at the same moment, and local storage has no lock of its own.
  if ('locks' in navigator) await navigator.locks.request(PREFIX + userId, remember);
  else remember();
  return true;
}

/**
 * What one tab writes to local storage reaches another process a moment late, so that two tabs could both find a
 * notice new. A lock is known to all at once; the tab keeps it as long as it lives.
 */
function holdForGood(name: string): Promise<boolean> {
  if (!('locks' in navigator)) return Promise.resolve(true);
  return new Promise((resolve) => {
    void navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock === null ? undefined : new Promise(() => undefined);
    });
  });
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
