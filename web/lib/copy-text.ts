/** @returns whether it is in the clipboard, which a page without HTTPS does not have, and some browsers refuse. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
