import { messages } from '../../../kernel/messages.ts'

export const TENANT_TEXTS = messages({
  TENANT_SLUG_EXISTS: { en: 'a tenant with this slug exists', tr: 'bu kısa adla (slug) bir kiracı var' },
  SIGNUP_NOT_ENABLED: { en: 'signup is not enabled on this service', tr: 'bu hizmette kayıt olma kapalı' },
  SIGNUP_QUEUE_FULL: {
    en: 'too many mails are waiting; try again soon',
    tr: 'bekleyen e-posta sayısı çok yüksek; kısa süre sonra yeniden deneyin',
  },
  SIGNUP_LINK_NOT_VALID: {
    en: 'the link is not valid, has expired or was used already',
    tr: 'bağlantı geçersiz, süresi dolmuş veya daha önce kullanılmış',
  },
  PASSWORD_NOT_OF_SIGNUP: {
    en: 'is not the password of the signup',
    tr: 'kayıt sırasında verilen parola değil',
  },
})
