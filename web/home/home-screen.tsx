import { useTranslation } from 'react-i18next';
import { Carousel } from './carousel.tsx';
import { Footer } from './footer.tsx';
import { Hero } from './hero.tsx';
import { HowItWorks } from './how-it-works.tsx';

/** / (docs/product.md S3). */
export function HomeScreen() {
  const { t } = useTranslation('home');
  return (
    <>
      <Hero />
      <HowItWorks />
      <section className="page-width grid gap-6 py-12">
        <h2 className="section-title">{t('testimonials')}</h2>
        <Carousel />
      </section>
      <Footer />
    </>
  );
}
