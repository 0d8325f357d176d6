/** The only exports that other nouns may import. */
export { deleteLeftovers } from './objects.ts';
export { photoData } from './personal-data.ts';
export { findOgPicture, presentPhotos } from './photo-rules.ts';
export { deletePhotosOf, PHOTOS_OF_POST } from './store.ts';
