export { fieldMessages as fields } from '#contract/messages/sw.ts';
