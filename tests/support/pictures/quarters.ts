/** The folder's pictures that are valid photos, by media type, with the size after storing. */
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

/** The colours of an upright picture in this order, from the top left; grey.jpg is without colours. */
export const QUARTERS = ['red', 'green', 'blue', 'white'];

type Raster = { width: number; height: number; colourAt: (x: number, y: number) => number[] };

/** Returns the colours of a picture's quarters, from the top left. */
export function readQuarters({ width, height, colourAt }: Raster): string[] {
  const places = [0.25, 0.75].flatMap((y) => [0.25, 0.75].map((x) => [x * width, y * height] as const));
  return places.map(([x, y]) => {
    const [red = 0, green = 0, blue = 0] = colourAt(Math.floor(x), Math.floor(y));
    if (Math.min(red, green, blue) > 200) return 'white';
    return red > green && red > blue ? 'red' : green > blue ? 'green' : 'blue';
  });
}
