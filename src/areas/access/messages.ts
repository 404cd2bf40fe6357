import { declareWords, messages } from '../../kernel/messages.ts'

const LINK_NOT_VALID = {
  en: 'the link is not valid, has expired or was used already',
  tr: 'bağlantı geçersiz, süresi dolmuş veya daha önce kullanılmış',
} as const

declareWords({
  'the user': 'kullanıcı',
  'the role': 'rol',
  'the key': 'anahtar',
  'the pending invitation': 'bekleyen davet',
})

export const ACCESS_TEXTS = messages({
  CODE_NOT_VALID: { en: 'is not a valid code', tr: 'geçerli bir kod değil' },
  USER_LAST_ADMIN: {
    en: 'the tenant would be left without an active admin',
    tr: 'kiracıda etkin bir yönetici kalmaz',
  },
  USER_OWN_STATUS: {
    en: 'nobody can deactivate themselves or give up being a superuser',
    tr: 'kullanıcı kendini devre dışı bırakamaz, süper kullanıcılığını da bırakamaz',
  },
  USER_OWN_DELETION: { en: 'nobody can delete themselves', tr: 'kullanıcı kendini silemez' },
  USER_EMAIL_EXISTS: {
    en: 'a user with this e-mail address exists',
    tr: 'bu e-posta adresiyle kayıtlı bir kullanıcı var',
  },
  USER_IS_SUPERUSER: {
    en: 'only a superuser may change a superuser',
    tr: 'bir süper kullanıcıyı yalnızca bir süper kullanıcı değiştirebilir',
  },
  TENANT_INACTIVE: {
    en: 'the tenant has been deactivated: ask the operator of the service',
    tr: 'kiracı devre dışı bırakılmış: hizmetin işletmecisine başvurun',
  },
  USER_NOT_ACTIVE: {
    en: 'the user does not exist or is not active',
    tr: 'kullanıcı yok veya etkin değil',
  },
  ROLE_IS_SYSTEM: {
    en: 'a system role cannot be changed or deleted',
    tr: 'sistem rolü değiştirilemez ve silinemez',
  },
  ROLE_NAME_EXISTS: { en: 'a role with this name exists', tr: 'bu adla bir rol var' },
  ROLE_IN_USE: { en: 'users still have this role', tr: 'bu role sahip kullanıcılar var' },
  ROLE_OF_PROVIDER: {
    en: 'the OpenID provider of the tenant gives this role to new users',
    tr: 'kiracının OpenID sağlayıcısı bu rolü yeni kullanıcılara veriyor',
  },
  PERMISSION_NOT_HELD: {
    en: 'only a holder of {permission} may grant it',
    tr: '{permission} iznini yalnızca bu izne sahip olan verebilir',
  },
  LOGIN_LOCKED: {
    en: 'too many wrong passwords; wait as Retry-After says',
    tr: 'çok sayıda yanlış parola girildi; Retry-After başlığındaki süre kadar bekleyin',
  },
  RESET_QUEUE_FULL: {
    en: 'too many requests are waiting, try again soon',
    tr: 'bekleyen istek sayısı çok yüksek, kısa süre sonra yeniden deneyin',
  },
  VERIFICATION_QUEUE_FULL: {
    en: 'too many mails are waiting, try again soon',
    tr: 'bekleyen e-posta sayısı çok yüksek, kısa süre sonra yeniden deneyin',
  },
  INVITATION_QUEUE_FULL: {
    en: 'too many mails are waiting; invite again soon',
    tr: 'bekleyen e-posta sayısı çok yüksek; kısa süre sonra yeniden davet edin',
  },
  INVITER_NOT_VERIFIED: {
    en: 'verify your own e-mail address before you invite others',
    tr: 'başkalarını davet etmeden önce kendi e-posta adresinizi doğrulayın',
  },
  API_KEY_NOT_VALID: {
    en: 'the API key is not valid: it does not exist, was revoked, or its owner is not active',
    tr: 'API anahtarı geçerli değil: böyle bir anahtar yok, iptal edilmiş veya sahibi etkin değil',
  },
  API_KEY_EXPIRED: { en: 'the API key has expired', tr: 'API anahtarının süresi doldu' },
  API_KEY_LIMIT_REACHED: {
    en: 'at most {max:number} API keys can exist here: revoke one that is not needed',
    tr: 'burada en çok {max:number} API anahtarı bulunabilir: gerekmeyen birini iptal edin',
  },
  DEVICE_QUOTA_EXCEEDED: {
    en: 'the tenant has as many devices as its quota allows',
    tr: 'kiracı, kotasının izin verdiği cihaz sayısına ulaştı',
  },
  EXPORT_QUOTA_EXCEEDED: {
    en: 'the exports of the tenant for today are used up',
    tr: 'kiracının bugünkü dışa aktarım kotası doldu',
  },
  STORAGE_QUOTA_EXCEEDED: {
    en: 'the storage of the tenant is used up: delete exports, devices or firmware, or ask the operator',
    tr: 'kiracının depolama kotası doldu: dışa aktarım, cihaz veya yazılım silin ya da işletmeciye başvurun',
  },
  TOTP_CODE_NOT_VALID: {
    en: 'the code is wrong, has expired or was used already',
    tr: 'kod yanlış, süresi dolmuş veya daha önce kullanılmış',
  },
  TOTP_LOCKED: {
    en: 'too many wrong codes; wait as Retry-After says',
    tr: 'çok sayıda yanlış kod girildi; Retry-After başlığındaki süre kadar bekleyin',
  },
  TOTP_ALREADY_ENABLED: {
    en: 'one-time passwords are in force already: remove them first',
    tr: 'tek kullanımlık parolalar zaten etkin: önce kaldırın',
  },
  TOTP_NOT_ENROLLED: {
    en: 'you have not set up one-time passwords',
    tr: 'tek kullanımlık parolaları kurmadınız',
  },
  RESET_LINK_REQUESTED: {
    en: 'If the address is registered, a mail with a link is on its way.',
    tr: 'Adres kayıtlıysa bağlantı içeren bir e-posta gönderildi.',
  },
  PASSWORD_CHANGED: { en: 'The password is changed.', tr: 'Parola değiştirildi.' },
  PASSWORD_RESET: {
    en: 'The password is changed. Sign in with it.',
    tr: 'Parola değiştirildi. Yeni parolayla giriş yapın.',
  },
  TOTP_REMOVED: { en: 'One-time passwords are removed.', tr: 'Tek kullanımlık parolalar kaldırıldı.' },
  VERIFICATION_LINK_REQUESTED: {
    en: 'Unless the address is verified already, a mail with a link is on its way.',
    tr: 'Adres henüz doğrulanmadıysa bağlantı içeren bir e-posta gönderildi.',
  },
  EMAIL_VERIFIED: { en: 'The e-mail address is verified.', tr: 'E-posta adresi doğrulandı.' },
  RESET_LINK_NOT_VALID: LINK_NOT_VALID,
  INVITATION_LINK_NOT_VALID: LINK_NOT_VALID,
  VERIFICATION_LINK_NOT_VALID: LINK_NOT_VALID,
  LOGIN_WRONG: {
    en: 'the e-mail address or the password is wrong',
    tr: 'e-posta adresi ya da parola yanlış',
  },
  PASSWORD_SIGN_IN_DISABLED: {
    en: 'the tenant does not allow to sign in by password: use its OpenID provider',
    tr: 'kiracı parolayla girişe izin vermiyor: OpenID sağlayıcısıyla giriş yapın',
  },
  PASSWORD_NOT_SET: {
    en: 'you have no password: request a link to set one',
    tr: 'parolanız yok: belirlemek için bağlantı isteyin',
  },
  TOKEN_BEFORE_RESET: {
    en: 'the password was reset after this token was issued',
    tr: 'bu jeton verildikten sonra parola sıfırlandı',
  },
  PASSWORD_NOT_CURRENT: { en: 'is not the present password', tr: 'şu anki parola değil' },
  PASSWORD_NOT_OF_ACCOUNT: { en: 'is not the password of the account', tr: 'hesabın parolası değil' },
  STRONGER_THAN_CALLER: {
    en: '{what} includes {permission}, which the caller lacks',
    tr: '{what:word} sizde olmayan {permission} iznini içeriyor',
  },
})

/** Subjects and bodies of the mails with links. */
export const ACCESS_MAILS = messages({
  INVITATION_MAIL_SUBJECT: { en: 'invitation', tr: 'davet' },
  INVITATION_MAIL: {
    en: '"{tenant}" invites you to Netsaat. Use the link within 7 days to open your account.',
    tr: '"{tenant}" sizi Netsaat\'e davet ediyor. Hesabınızı açmak için bağlantıyı 7 gün içinde kullanın.',
  },
  VERIFICATION_MAIL_SUBJECT: { en: 'verify your e-mail address', tr: 'e-posta adresinizi doğrulayın' },
  VERIFICATION_MAIL: {
    en: 'open this link within 24 hours and enter your password to verify the e-mail address of your Netsaat account. If you did not open this account, there is nothing to do.',
    tr: 'Netsaat hesabınızın e-posta adresini doğrulamak için bağlantıyı 24 saat içinde açın ve şifrenizi yazın. Bu hesabı siz açmadıysanız bir şey yapmanız gerekmez.',
  },
  RESET_MAIL_SUBJECT: { en: 'password reset', tr: 'şifre sıfırlama' },
  RESET_MAIL: {
    en: 'open this link to reset your Netsaat password. It works once, for {minutes} minutes. If you did not ask for it, there is nothing to do: your password stays as it is.',
    tr: 'Netsaat şifrenizi sıfırlamak için bu bağlantıyı açın. Bağlantı {minutes} dakika boyunca ve bir kez geçerlidir. Bu isteği siz yapmadıysanız bir şey yapmanız gerekmez, şifreniz aynı kalır.',
  },
})
