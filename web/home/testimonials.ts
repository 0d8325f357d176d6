/** The six fixed testimonials (docs/product.md S3); `testimony` is the key of the words in the reader's language. */
export const testimonials = [
  { id: 1, name: 'Neema Mushi', testimony: 'testimony1' },
  { id: 2, name: 'Juma Abdallah', testimony: 'testimony2' },
  { id: 3, name: 'Baraka Mwakalinga', testimony: 'testimony3' },
  { id: 4, name: 'Mwalimu Rehema Salum', testimony: 'testimony4' },
  { id: 5, name: 'Elias Masanja', testimony: 'testimony5' },
  { id: 6, name: 'Hamisi Mrisho', testimony: 'testimony6' },
] as const;
