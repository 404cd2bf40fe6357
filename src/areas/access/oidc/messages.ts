import { messages } from '../../../kernel/messages.ts'

export const OIDC_TEXTS = messages({
  OIDC_PUBLIC_URL_MISSING: {
    en: 'sign-in by OpenID needs the setting PUBLIC_BASE_URL of the operator',
    tr: 'OpenID ile giriş için işletmecinin PUBLIC_BASE_URL ayarı gerekir',
  },
  OIDC_ISSUER_NOT_VALID: {
    en: 'must be an https address (http only in allowed networks), without user name, query and fragment',
    tr: 'kullanıcı adı, sorgu ve parça içermeyen bir https adresi olmalı (http yalnızca izin verilen ağlarda)',
  },
  OIDC_SECRET_MISSING: {
    en: 'is needed for a new provider, and when the issuer or the client id changes',
    tr: 'yeni sağlayıcı için ve düzenleyici veya istemci kimliği değiştiğinde gerekir',
  },
  OIDC_ROLE_MISSING: {
    en: 'is needed when users are created',
    tr: 'kullanıcı oluşturuluyorsa gerekir',
  },
  OIDC_REDIRECT_NOT_ALLOWED: {
    en: 'must be an address below PUBLIC_BASE_URL',
    tr: 'PUBLIC_BASE_URL altında bir adres olmalı',
  },
  OIDC_TENANT_OR_EMAIL: {
    en: 'name either the tenant or the e-mail address',
    tr: 'kiracıyı veya e-posta adresini, yalnızca birini belirtin',
  },
  OIDC_PROVIDER_WORKS: {
    en: 'the discovery document and the keys of the provider are valid',
    tr: 'sağlayıcının keşif belgesi ve anahtarları geçerli',
  },
})
