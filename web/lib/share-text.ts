/** @returns whether the text was copied. There is no clipboard without HTTPS, and some browsers refuse access. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
