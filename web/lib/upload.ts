/** A slow line may need minutes for a picture; what does not move for so long has broken off. */
const STALLED_MS = 45_000;

/** A `fetch` for files that tells how much of the file is out, which only XMLHttpRequest knows. */
export function uploadTelling(onProgress: (share: number) => void) {
  return (address: string, { method = 'POST', headers, body, signal }: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const waitOn = () => {
        clearTimeout(timer);
        timer = setTimeout(() => request.abort(), STALLED_MS);
      };
      request.open(method, address);
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded, total }) => {
        waitOn();
        onProgress(total > 0 ? loaded / total : 0);
      };
      request.onload = () => resolve(toResponse(request));
      request.onerror = request.onabort = () => reject(new TypeError('The upload broke off'));
      request.onloadend = () => clearTimeout(timer);
      signal?.addEventListener('abort', () => request.abort(), { once: true });
      waitOn();
      request.send(body as XMLHttpRequestBodyInit | null);
    });
}

function toResponse(request: XMLHttpRequest): Response {
  const lines = request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/);
  const headers = lines.filter(Boolean).map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return new Response(request.responseText || null, { status: request.status, headers });
}
