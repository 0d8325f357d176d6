type Leadership = {
  /** Takes the lead from a tab that does not answer, such as one that the browser has put to sleep. */
  takeOver(): void;
  stop(): void;
};

/**
 * Of all tabs that ask under one name, one leads at a time; when it closes, another does. Where the browser has no
 * locks every tab leads itself.
 * @param lead starts what the leader does, and answers what ends it.
 */
export function leadAmongTabs(name: string, lead: () => () => void): Leadership {
  const stopping = new AbortController();
  let endLead: (() => void) | null = null;

  function start(): Promise<void> {
    return new Promise((release) => {
      if (stopping.signal.aborted) return release();
      const end = lead();
      endLead = () => {
        endLead = null;
        end();
        release();
      };
    });
  }

  async function stand(steal: boolean): Promise<void> {
    try {
      await navigator.locks.request(name, steal ? { steal: true } : { signal: stopping.signal }, start);
    } catch {
      // Another tab has taken the lead, or this one stops. A tab that lost the lead stands again, behind the other;
      // one that had taken it over still stands from before.
      endLead?.();
      if (!steal && !stopping.signal.aborted) void stand(false);
    }
  }

  if (hasLocks()) void stand(false);
  else void start();
  return {
    takeOver() {
      if (hasLocks() && !endLead && !stopping.signal.aborted) void stand(true);
    },
    stop() {
      stopping.abort();
      endLead?.();
    },
  };
}

function hasLocks(): boolean {
  return 'locks' in navigator && 'BroadcastChannel' in window;
}
