/** Has the browser save it, as it does a download. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Not at once: a browser may only begin to read it a moment later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
