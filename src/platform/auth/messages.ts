import { messages } from '../../kernel/messages.ts'

export const AUTH_TEXTS = messages({
  CREDENTIAL_DAMAGED: { en: 'it is damaged', tr: 'hasarlı' },
  SIGN_IN_QUEUE_FULL: {
    en: 'too many sign-ins at the same time, try again soon',
    tr: 'aynı anda çok fazla oturum açılıyor, kısa süre sonra yeniden deneyin',
  },
  PASSWORD_WITHOUT_LETTER: { en: 'must contain a letter', tr: 'bir harf içermeli' },
  PASSWORD_WITHOUT_DIGIT: { en: 'must contain a digit', tr: 'bir rakam içermeli' },
  PASSWORD_TOO_SHORT: { en: 'must have at least {min} characters', tr: 'en az {min} karakter olmalı' },
  PASSWORD_TOO_LONG: { en: 'must have at most {max} characters', tr: 'en çok {max} karakter olabilir' },
  CREDENTIAL_NOT_OPENED: {
    en: 'a stored credential cannot be opened: {reason}',
    tr: 'kayıtlı bir kimlik bilgisi açılamıyor: {reason}',
  },
  CREDENTIAL_KEY_MISSING: {
    en: 'CREDENTIAL_ENCRYPTION_KEY is not set',
    tr: 'CREDENTIAL_ENCRYPTION_KEY ayarlanmamış',
  },
  CREDENTIAL_KEY_INVALID: {
    en: 'CREDENTIAL_ENCRYPTION_KEY is not 32 bytes in base64',
    tr: 'CREDENTIAL_ENCRYPTION_KEY, base64 biçiminde 32 bayt değil',
  },
  CREDENTIAL_OTHER_KEY: {
    en: 'it was sealed with the key {sealed_with}, and the key of the settings is {key_id}',
    tr: '{sealed_with} anahtarıyla şifrelenmiş, ayarlardaki anahtar ise {key_id}',
  },
  CREDENTIAL_ALTERED: {
    en: 'it was altered, or belongs to another record',
    tr: 'değiştirilmiş ya da başka bir kayda ait',
  },
})
