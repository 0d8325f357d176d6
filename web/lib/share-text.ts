/**
 * @returns whether the text was copied. Without HTTPS there is no clipboard, and some browsers refuse to write to it.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
