import { useQuery } from '@tanstack/react-query';
import { meQuery } from '#web/lib/me-query.ts';
import { useSession } from '#web/lib/session.ts';

/** The number of the signed-in person's account, once it is known. */
export function useAccountNumber(): string | null {
  const isSignedIn = useSession() !== null;
  const { data } = useQuery({ ...meQuery, enabled: isSignedIn });
  return data?.whatsapp_number ?? null;
}
