import { onTestFinished, vi } from 'vitest';

type Size = { width: number; height: number };

/**
 * jsdom neither reads nor draws pictures: simulates pictures of one size, and records what is drawn.
 * @param decode the result of reading a picture, which may wait or fail.
 * @param hasMemory whether a canvas can be allocated.
 */
export function stubCanvas({
  size = { width: 800, height: 600 } as Size,
  decode = async (): Promise<void> => undefined,
  hasMemory = true,
} = {}) {
  const seen = { drawn: [] as unknown[][], made: [] as unknown[], addresses: [] as string[] };
  const context = {
    fillStyle: '',
    imageSmoothingQuality: 'low',
    fillRect: (...area: number[]) => seen.drawn.push(['fill', context.fillStyle, ...area]),
    drawImage: (_picture: unknown, ...area: number[]) =>
      seen.drawn.push(['draw', context.imageSmoothingQuality, ...area]),
  };
  class Picture {
    src = '';
    width = size.width;
    height = size.height;
    decode = decode;
  }
  vi.stubGlobal('Image', Picture);
  const canvas = HTMLCanvasElement.prototype;
  const mends = [
    vi.spyOn(canvas, 'getContext').mockImplementation((() => (hasMemory ? context : null)) as never),
    vi.spyOn(canvas, 'toBlob').mockImplementation(function toBlob(this: HTMLCanvasElement, done, type, quality) {
      seen.made.push({ width: this.width, height: this.height, type, quality });
      done(new Blob(['small'], { type: type ?? '' }));
    }),
  ];
  const { createObjectURL, revokeObjectURL } = URL;
  URL.createObjectURL = () => {
    seen.addresses.push(`blob:${seen.addresses.length}`);
    return seen.addresses.at(-1) as string;
  };
  URL.revokeObjectURL = (address) => void seen.addresses.splice(seen.addresses.indexOf(address), 1);
  onTestFinished(() => {
    Object.assign(URL, { createObjectURL, revokeObjectURL });
    for (const mend of mends) mend.mockRestore();
    vi.unstubAllGlobals();
  });
  return { seen, context };
}
