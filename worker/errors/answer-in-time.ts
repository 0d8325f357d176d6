/**
 * Rejects if `ask` takes longer than `patienceMs`. The work itself is not cancelled and may still complete.
 * @throws Error on a timeout, or whatever `ask` throws.
 */
export async function answerInTime<Answer>(ask: () => Promise<Answer>, patienceMs: number): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('No answer in time')), patienceMs);
  });
  try {
    return await Promise.race([ask(), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
