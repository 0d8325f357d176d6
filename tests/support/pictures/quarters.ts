/** The pictures of this folder that are a photo each, by the type that they are sent as, with the size that they are kept in. */
export const PICTURES = [
  { name: 'phone.jpg', type: 'image/jpeg', width: 320, height: 240 },
  { name: 'progressive.jpg', type: 'image/jpeg', width: 320, height: 240 },
  { name: 'grey.jpg', type: 'image/jpeg', width: 320, height: 240 },
  { name: 'large.jpg', type: 'image/jpeg', width: 1280, height: 960 },
  { name: 'transparent.png', type: 'image/png', width: 320, height: 240 },
  { name: 'palette.png', type: 'image/png', width: 320, height: 240 },
  { name: 'lossless.webp', type: 'image/webp', width: 320, height: 240 },
  { name: 'animated.webp', type: 'image/webp', width: 320, height: 240 },
] as const;

/** Upright, in this order from the top left; grey.jpg has them without their colours. */
export const QUARTERS = ['red', 'green', 'blue', 'white'];

type Raster = { width: number; height: number; colourAt: (x: number, y: number) => number[] };

/** What the colours of a picture's quarters are, from the top left. */
export function readQuarters({ width, height, colourAt }: Raster): string[] {
  const places = [0.25, 0.75].flatMap((y) => [0.25, 0.75].map((x) => [x * width, y * height] as const));
  return places.map(([x, y]) => {
    const [red = 0, green = 0, blue = 0] = colourAt(Math.floor(x), Math.floor(y));
    if (Math.min(red, green, blue) > 200) return 'white';
    return red > green && red > blue ? 'red' : green > blue ? 'green' : 'blue';
  });
}
