import { messages } from '../../../src/kernel/messages.ts'

/** Titles and notes of the forms of users, tenants, sign-in and the market platform. */
export const ADMIN_KIND_TEXTS = messages({
  ADMIN_KIND_USERS: { en: 'Users', tr: 'Kullanıcılar' },
  ADMIN_KIND_NEW_USER: { en: 'New user', tr: 'Yeni kullanıcı' },
  ADMIN_KIND_NEW_USER_NOTE: {
    en: 'With a password that you pass on. An invitation lets the user choose one.',
    tr: 'Sizin ileteceğiniz bir parola ile. Davet, parolayı kullanıcıya seçtirir.',
  },
  ADMIN_KIND_RESET_TOTP: { en: 'Reset one-time passwords', tr: 'Tek kullanımlık parolaları sıfırla' },
  ADMIN_KIND_RESET_TOTP_NOTE: {
    en: 'For a user who has lost the device. The next sign-in needs the password only.',
    tr: 'Aygıtını kaybeden kullanıcı için. Sonraki oturum yalnızca parola ister.',
  },
  ADMIN_KIND_UNLINK: { en: 'Unlink the OpenID account', tr: 'OpenID hesabının bağını kaldır' },
  ADMIN_KIND_UNLINK_NOTE: {
    en: 'The next sign-in over the provider links an account with this address again.',
    tr: 'Sağlayıcı üzerinden sonraki oturum, bu adresli bir hesabı yeniden bağlar.',
  },
  ADMIN_KIND_MACHINE_KEYS: { en: 'Machine keys', tr: 'Makine anahtarları' },
  ADMIN_KIND_NEW_MACHINE_KEY: { en: 'New machine key', tr: 'Yeni makine anahtarı' },
  ADMIN_KIND_MACHINE_KEY_NOTE: {
    en: 'For a program of the tenant. Every administrator sees it and can revoke it.',
    tr: 'Kuruluşun bir programı için. Her yönetici görür ve iptal edebilir.',
  },
  ADMIN_KIND_TAKE_OVER: { en: 'Take over', tr: 'Devral' },
  ADMIN_KIND_TAKE_OVER_NOTE: {
    en: 'You become the owner; the key stays the same.',
    tr: 'Sahibi siz olursunuz; anahtar aynı kalır.',
  },
  ADMIN_KIND_TENANTS: { en: 'Tenants', tr: 'Kuruluşlar' },
  ADMIN_KIND_NEW_TENANT: { en: 'New tenant', tr: 'Yeni kuruluş' },
  ADMIN_KIND_NEW_TENANT_NOTE: {
    en: 'With its system roles and its first administrator.',
    tr: 'Sistem rolleri ve ilk yöneticisi ile.',
  },
  ADMIN_KIND_DEACTIVATE: { en: 'Deactivate', tr: 'Devre dışı bırak' },
  ADMIN_KIND_DEACTIVATE_NOTE: {
    en: 'All users and keys of the tenant are refused at once. Its gateways and stations are disconnected within a minute. The data stay.',
    tr: 'Kuruluşun tüm kullanıcıları ve anahtarları hemen reddedilir. Ağ geçitleri ve istasyonları bir dakika içinde kesilir. Veriler kalır.',
  },
  ADMIN_KIND_REACTIVATE: { en: 'Reactivate', tr: 'Yeniden etkinleştir' },
  ADMIN_KIND_MARKET_ACCOUNTS: { en: 'Market accounts', tr: 'Piyasa hesapları' },
  ADMIN_KIND_NEW_MARKET_ACCOUNT: { en: 'New market account', tr: 'Yeni piyasa hesabı' },
  ADMIN_KIND_MARKET_ACCOUNT_NOTE: {
    en: 'Access to the transparency platform, from which market prices are read. Stored secrets are shown masked.',
    tr: 'Piyasa fiyatlarının okunduğu şeffaflık platformuna erişim. Kayıtlı gizli değerler maskelenir.',
  },
  ADMIN_KIND_TRANSITION: { en: 'Next step', tr: 'Sonraki adım' },
  ADMIN_KIND_TRANSITION_NOTE: {
    en: 'Advances the account by one approval step, or blocks it.',
    tr: 'Hesabı bir onay adımı ilerletir ya da engeller.',
  },
  ADMIN_KIND_TEST_CALL: { en: 'Test call', tr: 'Deneme çağrısı' },
  ADMIN_KIND_TEST_CALL_NOTE: {
    en: 'Signs in at the platform now and requests prices.',
    tr: 'Şimdi platformda oturum açar ve fiyat ister.',
  },
  ADMIN_KIND_SIGN_IN: { en: 'Rules for sign-in', tr: 'Oturum kuralları' },
  ADMIN_KIND_SIGN_IN_NOTE: {
    en: 'If one-time passwords are required, users without them can only set them up. You need them yourself first.',
    tr: 'Tek kullanımlık parola zorunluysa, olmayan kullanıcılar yalnızca kurabilir. Önce kendinizde kurulu olmalıdır.',
  },
  ADMIN_KIND_OIDC: { en: 'OpenID provider', tr: 'OpenID sağlayıcısı' },
  ADMIN_KIND_OIDC_NOTE: {
    en: 'Users of these domains sign in at this provider. A client secret that is not entered stays as it is.',
    tr: 'Bu alan adlarının kullanıcıları bu sağlayıcıda oturum açar. Girilmeyen istemci anahtarı değişmez.',
  },
  ADMIN_KIND_OIDC_TEST: { en: 'Test the provider', tr: 'Sağlayıcıyı sına' },
  ADMIN_KIND_OIDC_TEST_NOTE: {
    en: 'Fetches its discovery document and its keys now.',
    tr: 'Tanıtım belgesini ve anahtarlarını şimdi okur.',
  },
  ADMIN_KIND_OIDC_DELETE: { en: 'Delete the provider', tr: 'Sağlayıcıyı sil' },
  ADMIN_KIND_OIDC_DELETE_NOTE: {
    en: 'Users stay. Those without a password set one by a reset link.',
    tr: 'Kullanıcılar kalır. Parolası olmayanlar sıfırlama bağlantısıyla belirler.',
  },
  ADMIN_KIND_NETTING: { en: 'Netting settings', tr: 'Mahsuplaşma ayarları' },
  ADMIN_KIND_NETTING_NOTE: {
    en: 'They apply to every later calculation, also of past periods.',
    tr: 'Geçmiş dönemler dahil, sonraki tüm hesaplarda geçerlidir.',
  },
  ADMIN_KIND_QUOTAS: { en: 'Quotas', tr: 'Kotalar' },
  ADMIN_KIND_QUOTAS_NOTE: {
    en: 'Without a value there is no limit.',
    tr: 'Değer yoksa sınır yoktur.',
  },
  ADMIN_KIND_QUOTA: { en: 'Quota', tr: 'Kota' },
  ADMIN_KIND_USED: { en: 'Used', tr: 'Kullanılan' },
  ADMIN_KIND_LIMIT: { en: 'Limit', tr: 'Sınır' },
  ADMIN_KIND_NO_LIMIT: { en: 'no limit', tr: 'sınırsız' },
  ADMIN_KIND_DELETE_TENANT: {
    en: 'Delete {name} with all its data',
    tr: '{name} kuruluşunu tüm verisiyle sil',
  },
  ADMIN_KIND_DELETE_TENANT_NOTE: {
    en: 'Everything of the tenant is deleted: measurements, calculations, users. This cannot be undone. Type its name to confirm.',
    tr: 'Kuruluşa ait her şey silinir: ölçümler, hesaplar, kullanıcılar. Geri alınamaz. Onaylamak için adını yazın.',
  },
  ADMIN_KIND_TENANT_NAME: { en: 'Name of the tenant', tr: 'Kuruluşun adı' },
  ADMIN_KIND_DELETIONS: { en: 'Deletions', tr: 'Silme işlemleri' },
  ADMIN_KIND_DELETION: {
    en: '{done} of {total} tables, {rows} rows',
    tr: '{total} tablodan {done}, {rows} satır',
  },
})
