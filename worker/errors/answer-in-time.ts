/**
 * @param patienceMs how long the answer is waited for.
 * @returns what is answered. What was asked for may be done all the same after the time is over.
 * @throws Error when it is over, and what `ask` throws.
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
