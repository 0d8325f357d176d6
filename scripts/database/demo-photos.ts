import type { Shape } from './draw-picture.ts';

type DemoPhoto = { post: string; alt: string; ground: readonly [number, number, number]; shapes: readonly Shape[] };

/** Drawings, so that no real thing is shown, in the order of each post's photos. */
export const DEMO_PHOTOS: readonly DemoPhoto[] = [
  {
    post: 'backpack',
    alt: 'Begi la kahawia lenye mfuko wa mbele',
    ground: [226, 214, 190],
    shapes: [
      { box: [210, 60, 40, 120], colour: [70, 42, 24] },
      { box: [390, 60, 40, 120], colour: [70, 42, 24] },
      { box: [180, 120, 280, 310], colour: [122, 76, 44] },
      { disc: [320, 130, 110], colour: [122, 76, 44] },
      { box: [220, 270, 200, 120], colour: [92, 56, 32] },
      { box: [220, 264, 200, 8], colour: [214, 178, 94] },
    ],
  },
  {
    post: 'backpack',
    alt: 'Mkanda wa begi umeshonwa kwa uzi mwekundu',
    ground: [122, 76, 44],
    shapes: [
      { box: [0, 190, 640, 100], colour: [70, 42, 24] },
      { box: [300, 190, 10, 100], colour: [200, 40, 40] },
      { box: [330, 190, 10, 100], colour: [200, 40, 40] },
    ],
  },
  {
    post: 'found Tecno',
    alt: 'A black phone in a blue case, its screen cracked at a corner',
    ground: [233, 233, 228],
    shapes: [
      { box: [210, 30, 220, 420], colour: [38, 84, 170] },
      { box: [222, 42, 196, 396], colour: [18, 18, 22] },
      { box: [232, 70, 176, 340], colour: [44, 48, 58] },
      { disc: [320, 424, 8], colour: [90, 90, 96] },
      { box: [372, 70, 36, 3], colour: [210, 214, 220] },
      { box: [390, 70, 3, 48], colour: [210, 214, 220] },
    ],
  },
  {
    post: 'motorbike keys',
    alt: 'Funguo mbili kwenye pete moja',
    ground: [206, 222, 206],
    shapes: [
      { disc: [320, 140, 70], colour: [150, 150, 156] },
      { disc: [320, 140, 52], colour: [206, 222, 206] },
      { disc: [250, 230, 44], colour: [196, 160, 70] },
      { box: [238, 260, 26, 160], colour: [196, 160, 70] },
      { box: [264, 350, 22, 14], colour: [196, 160, 70] },
      { disc: [390, 230, 44], colour: [128, 130, 138] },
      { box: [378, 260, 26, 160], colour: [128, 130, 138] },
      { box: [404, 370, 22, 14], colour: [128, 130, 138] },
    ],
  },
];
