import * as z from 'zod/mini';
import { newPasswordSchema } from './accounts.ts';
import { RESET_CODE_MIN_CHARS } from './limits.ts';
import { accountPhoneSchema } from './phone.ts';

const verificationCodeSchema = z
  .string({ error: 'code_required' })
  .check(
    z.trim(),
    z.minLength(1, { error: 'code_required', abort: true }),
    z.minLength(RESET_CODE_MIN_CHARS, { error: 'code_invalid' }),
    z.maxLength(20, { error: 'code_invalid' }),
  );

export const resetRequestSchema = z.object({ whatsapp_number: accountPhoneSchema });
export const verifyCodeSchema = z.object({
  whatsapp_number: accountPhoneSchema,
  verification_code: verificationCodeSchema,
});
export const resetPasswordSchema = z.object({
  whatsapp_number: accountPhoneSchema,
  verification_code: verificationCodeSchema,
  new_password: newPasswordSchema,
});
export type VerifyCode = z.infer<typeof verifyCodeSchema>;
export type ResetPassword = z.infer<typeof resetPasswordSchema>;

export const successSchema = z.object({ success: z.literal(true) });
export type Success = z.infer<typeof successSchema>;
