import { useTranslation } from 'react-i18next';
import { ToastContainer } from 'react-toastify/unstyled';
import './toast.css';

export { toast } from 'react-toastify/unstyled';

/** Specification §9: the app-wide container closes after 3 seconds. */
const TOAST_MS = 3_000;

/** The toasts: top right, newest first. The library's own style sheet is left out, for it comes as an inline style. */
export function Toasts() {
  const { t } = useTranslation('common');
  return (
    <ToastContainer
      position="top-right"
      autoClose={TOAST_MS}
      newestOnTop
      closeButton={false}
      icon={false}
      hideProgressBar
      aria-label={t('notifications')}
    />
  );
}
