import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { withSegments } from './pictures.ts';

// node tests/support/pictures/make-pictures.ts: creates the pictures, which are committed, so that every run uses the
// same bytes. `sharp` comes with Miniflare.
const sharp = createRequire(import.meta.resolve('miniflare'))('sharp');

const [WIDTH, HEIGHT] = [320, 240];

/** Top left red, top right green, bottom left blue, bottom right white: the corners show the orientation. */
function quarters(width = WIDTH, height = HEIGHT) {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [isRight, isLow] = [x >= width / 2, y >= height / 2];
      const colour = isLow ? (isRight ? [255, 255, 255] : [0, 0, 255]) : isRight ? [0, 160, 0] : [255, 0, 0];
      pixels.set(colour, (y * width + x) * 3);
    }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

const save = (name: string, bytes: Buffer | Uint8Array) => writeFileSync(join(import.meta.dirname, name), bytes);

/** A photo by a phone that is held upright: the stored pixels are rotated. */
const lying = await quarters().rotate(270).withIccProfile('p3').jpeg({ quality: 90 }).toBuffer();
save('phone.jpg', withSegments(lying, { orientation: 6 }));
save('progressive.jpg', await quarters().jpeg({ progressive: true }).toBuffer());
save('grey.jpg', await quarters().greyscale().jpeg().toBuffer());
save('large.jpg', await quarters(4000, 3000).jpeg({ quality: 60 }).toBuffer());
const hole = { input: { create: { width: 32, height: 32, channels: 4, background: '#000' } }, blend: 'dest-out' };
save('transparent.png', await quarters().ensureAlpha().composite([hole]).png().toBuffer());
save('palette.png', await quarters().png({ palette: true }).toBuffer());
save('lossless.webp', await quarters().webp({ lossless: true }).toBuffer());
const second = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#000' } })
  .png()
  .toBuffer();
save(
  'animated.webp',
  await sharp([await quarters().png().toBuffer(), second], { join: { animated: true } })
    .webp({ loop: 0, delay: [200, 200] })
    .toBuffer(),
);
save(
  'animated.gif',
  await sharp([await quarters().png().toBuffer(), second], { join: { animated: true } })
    .gif()
    .toBuffer(),
);
// A decompression bomb: 60 megapixels of one colour in a small file.
save(
  'bomb.png',
  await sharp({ create: { width: 10_000, height: 6_000, channels: 3, background: '#fff' } })
    .toColourspace('b-w')
    .png({ colours: 2, palette: true, compressionLevel: 9 })
    .toBuffer(),
);
