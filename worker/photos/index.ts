/** What other nouns may use of this one. */
export { deleteLeftovers } from './objects.ts';
export { photoData } from './personal-data.ts';
export { type Asker, findOgPicture, presentPhotos } from './photo-rules.ts';
export { deletePhotosOf, PHOTOS_OF_POST } from './store.ts';
