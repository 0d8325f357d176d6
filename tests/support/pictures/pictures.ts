/** The valid photos in this folder, with their media type and their size after storing. */
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

/** The colours of an upright picture's quarters, row by row. grey.jpg has no colours. */
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

/** Metadata that phones and programs write, which no stored file may contain. */
export const TRACES = {
  place: 'GPS-6.8161,39.2803',
  device: 'Tecno Spark ya Asha',
  xmp: 'http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>Asha Mushi</x:xmpmeta>',
  comment: 'Simu yangu 0712345678',
  vendor: 'MPF\0Hakiki ndogo',
};

/** Adds a phone's metadata to a JPEG: segments at its start, such as the GPS place, and other data after its end. */
export function withSegments(jpeg: Uint8Array, { orientation }: { orientation: number }): Uint8Array {
  const latin1 = (text: string) => Buffer.from(text, 'latin1');
  return Buffer.concat([
    jpeg.subarray(0, 2),
    segment(0xe1, Buffer.concat([latin1('Exif\0\0'), exif(orientation)])),
    segment(0xe1, latin1(TRACES.xmp)),
    segment(0xe2, latin1(TRACES.vendor)),
    segment(0xfe, latin1(TRACES.comment)),
    jpeg.subarray(2),
    latin1(`PK\u0003\u0004${TRACES.device}`),
  ]);
}

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** Returns a TIFF block with `TRACES.device`, the orientation, and a GPS directory that contains `TRACES.place`. */
export function exif(orientation: number, isLittle = false): Buffer {
  const [device, place] = [`${TRACES.device}\0`, `${TRACES.place}\0`].map((text) => Buffer.from(text, 'latin1'));
  const tiff = Buffer.alloc(8 + 2 + 3 * 12 + 4 + 2 + 12 + 4);
  const short = (value: number, at: number) =>
    isLittle ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at);
  const long = (value: number, at: number) =>
    isLittle ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at);
  const entry = (at: number, [tag, type, count]: number[], value: () => void) => {
    short(tag ?? 0, at);
    short(type ?? 0, at + 2);
    long(count ?? 0, at + 4);
    value();
  };
  if (!device || !place) return tiff;
  tiff.write(isLittle ? 'II' : 'MM', 0, 'latin1');
  short(42, 2);
  long(8, 4);
  short(3, 8);
  const places = 8 + 2 + 3 * 12 + 4;
  entry(10, [0x0110, 2, device.length], () => long(tiff.length, 18));
  entry(22, [0x0112, 3, 1], () => short(orientation, 30));
  entry(34, [0x8825, 4, 1], () => long(places, 42));
  short(1, places);
  entry(places + 2, [0x001b, 7, place.length], () => long(tiff.length + device.length, places + 10));
  return Buffer.concat([tiff, device, place]);
}
