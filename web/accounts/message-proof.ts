import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type NumberProof, PROOF_SECRET_HEADER, type StartedProof } from '#contract/recovery.ts';
import { ApiError, api } from '#web/api/client.ts';
import { queryKeys } from '#web/api/query-keys.ts';

const ASK_EVERY_MS = 3_000;

/**
 * Starts a proof of the phone number by a WhatsApp message. Polls the proof's status until the proof has succeeded or
 * expired.
 */
export function useMessageProof(number: string) {
  const [pending, setPending] = useState(readPendingProof);
  const current = pending?.number === number ? pending : null;
  const start = useMutation({
    mutationFn: async () => {
      const started = await api('POST /auth/number-proofs', { body: { whatsapp_number: number } });
      return { ...started, number };
    },
    onSuccess(started) {
      keepPendingProof(started);
      setPending(started);
    },
  });
  const { data, isError } = useQuery({
    queryKey: queryKeys.numberProof(current?.id ?? ''),
    queryFn: ({ signal }) => readProof(current, signal),
    enabled: current !== null,
    refetchInterval: ({ state }) => (isOver(state.data) ? false : ASK_EVERY_MS),
    refetchOnWindowFocus: 'always',
    staleTime: 0,
    retry: false,
  });

  return {
    url: current?.url ?? '',
    status: current === null ? null : (data?.status ?? 'waiting'),
    proof: current === null ? null : (data?.proof ?? null),
    isUnreachable: isError,
    start,
    cancel() {
      forgetPendingProof();
      setPending(null);
      start.reset();
    },
  };
}

async function readProof(pending: PendingProof | null, signal: AbortSignal): Promise<NumberProof> {
  const { id = '', secret = '' } = pending ?? {};
  try {
    const headers = { [PROOF_SECRET_HEADER]: secret };
    return await api('GET /auth/number-proofs/:id', { params: { id }, headers, signal });
  } catch (error) {
    // The server deletes expired proofs.
    if (error instanceof ApiError && error.status === 404) return { status: 'expired', proof: null };
    throw error;
  }
}

function isOver(proof: NumberProof | undefined): boolean {
  return proof?.status === 'proven' || proof?.status === 'expired';
}

/** The proof is in the tab's storage, because a phone may discard the page while the user is in WhatsApp. */
const KEY = 'numberProof';

/** A phone number whose proof by a WhatsApp message has started. */
type PendingProof = StartedProof & { number: string };

export function readPendingProof(): PendingProof | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as PendingProof | null;
  } catch {
    return null;
  }
}

function keepPendingProof(proof: PendingProof): void {
  sessionStorage.setItem(KEY, JSON.stringify(proof));
}

export function forgetPendingProof(): void {
  sessionStorage.removeItem(KEY);
}
