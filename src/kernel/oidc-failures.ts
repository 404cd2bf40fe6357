import { messages } from './messages.ts'

/**
 * Why a sign-in at an OpenID provider failed. The codes are also the error codes; the web console shows the text of the
 * code in the address that a sign-in returns to.
 */
export const OIDC_FAILURES = messages({
  OIDC_ACCESS_DENIED: {
    en: 'the sign-in was cancelled or denied at the provider',
    tr: 'giriş, sağlayıcıda iptal edildi veya reddedildi',
  },
  OIDC_ADDRESS_NOT_ALLOWED: {
    en:
      'the address of the provider is not allowed: public addresses need https, ' +
      'others need the operator (WEBHOOK_ALLOWED_NETWORKS)',
    tr:
      'sağlayıcının adresine izin verilmiyor: genel adresler için https, ' +
      'diğerleri için işletmecinin izni gerekir (WEBHOOK_ALLOWED_NETWORKS)',
  },
  OIDC_CLIENT_REFUSED: {
    en: 'the provider refuses the client id or the client secret',
    tr: 'sağlayıcı istemci kimliğini veya istemci parolasını kabul etmiyor',
  },
  OIDC_CODE_NOT_VALID: {
    en: 'the one-time code is wrong, has expired, was used already, or belongs to another browser',
    tr: 'tek kullanımlık kod yanlış, süresi dolmuş, daha önce kullanılmış veya başka bir tarayıcıya ait',
  },
  OIDC_DOMAIN_NOT_ALLOWED: {
    en: 'the domain of the e-mail address is not allowed for this provider',
    tr: 'e-posta adresinin alan adına bu sağlayıcı için izin verilmiyor',
  },
  OIDC_EMAIL_NOT_VERIFIED: {
    en: 'the provider did not assert a verified e-mail address',
    tr: 'sağlayıcı doğrulanmış bir e-posta adresi bildirmedi',
  },
  OIDC_NOT_AVAILABLE: {
    en: 'sign-in by OpenID is not available for this tenant or address',
    tr: 'bu kiracı veya adres için OpenID ile giriş kullanılamıyor',
  },
  OIDC_PROVIDER_INVALID: {
    en: 'the responses of the provider are not valid, or its issuer differs from the configured one',
    tr: 'sağlayıcının yanıtları geçersiz veya düzenleyicisi (issuer) yapılandırılandan farklı',
  },
  OIDC_PROVIDER_REFUSED: {
    en: 'the provider refused the sign-in',
    tr: 'sağlayıcı girişi reddetti',
  },
  OIDC_PROVIDER_UNREACHABLE: {
    en: 'the provider does not answer: try again later',
    tr: 'sağlayıcı yanıt vermiyor: daha sonra yeniden deneyin',
  },
  OIDC_STATE_NOT_VALID: {
    en: 'the sign-in is unknown, has expired or was finished already: start again',
    tr: 'giriş bilinmiyor, süresi dolmuş veya daha önce tamamlanmış: yeniden başlayın',
  },
  OIDC_TOKEN_NOT_VALID: {
    en: 'the provider returned a token that is not valid for this sign-in',
    tr: 'sağlayıcının döndürdüğü jeton bu giriş için geçerli değil',
  },
  OIDC_USER_INACTIVE: { en: 'the user is not active', tr: 'kullanıcı etkin değil' },
  OIDC_USER_LINKED: {
    en: 'the user is linked to another account of the provider',
    tr: 'kullanıcı, sağlayıcının başka bir hesabına bağlı',
  },
  OIDC_USER_NOT_ALLOWED: {
    en: 'superusers sign in by password only',
    tr: 'süper kullanıcılar yalnızca parolayla giriş yapabilir',
  },
  OIDC_USER_UNKNOWN: {
    en: 'the tenant has no user with this e-mail address',
    tr: 'kiracıda bu e-posta adresiyle bir kullanıcı yok',
  },
})
