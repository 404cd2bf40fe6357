import { messages } from '../../../kernel/messages.ts'

export const TENANT_TEXTS = messages({
  TENANT_SLUG_EXISTS: { en: 'a tenant with this slug exists', tr: 'bu kısa adla (slug) bir kiracı var' },
  TENANT_IS_OWN: {
    en: 'your own tenant cannot be deactivated',
    tr: 'kendi kiracınız devre dışı bırakılamaz',
  },
  TENANT_CHANGE_EMPTY: {
    en: 'must contain name or is_active',
    tr: 'name veya is_active içermelidir',
  },
  TENANT_IS_BEING_DELETED: {
    en: 'the deletion of the tenant has been requested: it can no longer be changed',
    tr: 'kiracının silinmesi istendi: artık değiştirilemez',
  },
  SIGNUP_NOT_ENABLED: { en: 'signup is not enabled on this service', tr: 'bu hizmette kayıt olma kapalı' },
  SIGNUP_QUEUE_FULL: {
    en: 'too many mails are waiting; try again soon',
    tr: 'bekleyen e-posta sayısı çok yüksek; kısa süre sonra yeniden deneyin',
  },
  SIGNUP_LINK_NOT_VALID: {
    en: 'the link is not valid, has expired or was used already',
    tr: 'bağlantı geçersiz, süresi dolmuş veya daha önce kullanılmış',
  },
  SIGNUP_REQUESTED: {
    en: 'A mail with a link is on its way to the address. The account is active once the link is used.',
    tr: 'Adrese bağlantı içeren bir e-posta gönderildi. Hesap, bağlantı kullanılınca etkinleşir.',
  },
  SIGNUP_LINK_REQUESTED: {
    en: 'If the signup is waiting for its link, a mail with a new one is on its way.',
    tr: 'Kayıt bağlantısını bekliyorsa yeni bağlantı içeren bir e-posta gönderildi.',
  },
  PASSWORD_NOT_OF_SIGNUP: {
    en: 'is not the password of the signup',
    tr: 'kayıt sırasında verilen parola değil',
  },
})

export const SIGNUP_MAILS = messages({
  SIGNUP_MAIL_SUBJECT: { en: 'activate your account', tr: 'hesabınızı etkinleştirin' },
  SIGNUP_MAIL: {
    en: 'a Netsaat account was requested with this address. To activate it, open this link within 24 hours and enter the password that you chose. If it was not you, there is nothing to do: no account is opened.',
    tr: 'bu adresle bir Netsaat hesabı açılmak isteniyor. Etkinleştirmek için bağlantıyı 24 saat içinde açın ve kayıtta seçtiğiniz şifreyi yazın. Kaydı siz yapmadıysanız bir şey yapmanız gerekmez, hesap açılmaz.',
  },
  REGISTERED_MAIL_SUBJECT: { en: 'you already have an account', tr: 'hesabınız zaten var' },
  REGISTERED_MAIL: {
    en: 'somebody tried to open a new Netsaat account with this address, but it has an account already. If you have forgotten your password, you can request a new one. If it was not you, there is nothing to do.',
    tr: 'bu adresle yeni bir Netsaat hesabı açılmak istendi, ancak adresin zaten bir hesabı var. Şifrenizi unuttuysanız yeni bir şifre isteyebilirsiniz. Kaydı siz yapmadıysanız bir şey yapmanız gerekmez.',
  },
})
