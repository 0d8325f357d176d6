export { fieldMessages as fields } from '#contract/messages/en.ts';
