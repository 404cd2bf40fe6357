import { messages } from '../../../../src/kernel/messages.ts'

export const SESSION_TEXTS = messages({
  SESSION_SIGN_IN: { en: 'Sign in', tr: 'Oturum aç' },
  SESSION_EMAIL: { en: 'E-mail address', tr: 'E-posta adresi' },
  SESSION_PASSWORD: { en: 'Password', tr: 'Parola' },
  SESSION_FORGOTTEN: { en: 'Forgotten password', tr: 'Parolamı unuttum' },
  SESSION_SEND_LINK: { en: 'Send a link', tr: 'Bağlantı gönder' },
  SESSION_LINK_SENT: {
    en: 'If an account with this address exists, a link is on its way.',
    tr: 'Bu adresle bir hesap varsa bağlantı gönderildi.',
  },
  SESSION_BACK: { en: 'Back to sign-in', tr: 'Oturum açmaya dön' },
  SESSION_CODE: { en: 'One-time password', tr: 'Tek kullanımlık parola' },
  SESSION_CODE_HINT: {
    en: 'The code of the authenticator app, or a recovery code',
    tr: 'Kimlik doğrulama uygulamasındaki kod ya da bir kurtarma kodu',
  },
  SESSION_CONTINUE: { en: 'Continue', tr: 'Devam' },
  SESSION_ORGANIZATION: { en: 'Sign in with your organisation', tr: 'Kurum hesabıyla oturum aç' },
  SESSION_ORGANIZATION_NAME: {
    en: 'E-mail address, or short name of the organisation',
    tr: 'E-posta adresi ya da kurumun kısa adı',
  },
  SESSION_OTHER_BROWSER: {
    en: 'The sign-in did not begin in this browser. Start again.',
    tr: 'Oturum açma bu tarayıcıda başlamadı. Yeniden başlayın.',
  },
  SESSION_PROVIDER_FAILED: {
    en: 'The sign-in at the organisation failed: {reason}.',
    tr: 'Kurum hesabıyla oturum açılamadı: {reason}.',
  },
  SESSION_ACCOUNT: { en: 'Account', tr: 'Hesap' },
  SESSION_NAME: { en: 'Name', tr: 'Ad' },
  SESSION_TENANT: { en: 'Tenant', tr: 'Kiracı' },
  SESSION_LANGUAGE: { en: 'Language', tr: 'Dil' },
  SESSION_THEME: { en: 'Colours', tr: 'Renkler' },
  SESSION_THEME_SYSTEM: { en: 'As the system', tr: 'Sistemdeki gibi' },
  SESSION_THEME_LIGHT: { en: 'Light', tr: 'Açık' },
  SESSION_THEME_DARK: { en: 'Dark', tr: 'Koyu' },
  SESSION_DISPLAY: { en: 'Display', tr: 'Görünüm' },
  SESSION_CHANGE_PASSWORD: { en: 'Change the password', tr: 'Parolayı değiştir' },
  SESSION_CURRENT_PASSWORD: { en: 'Current password', tr: 'Geçerli parola' },
  SESSION_NEW_PASSWORD: { en: 'New password', tr: 'Yeni parola' },
  SESSION_PASSWORD_CHANGED: { en: 'The password has been changed.', tr: 'Parola değiştirildi.' },
  SESSION_TOTP: { en: 'One-time passwords (TOTP)', tr: 'Tek kullanımlık parolalar (TOTP)' },
  SESSION_TOTP_ON: { en: 'In force', tr: 'Etkin' },
  SESSION_TOTP_OFF: { en: 'Not set up', tr: 'Kurulmamış' },
  SESSION_TOTP_BEGIN: { en: 'Set up', tr: 'Kur' },
  SESSION_TOTP_SECRET: {
    en: 'Enter this secret in the authenticator app, then enter its code.',
    tr: 'Bu anahtarı kimlik doğrulama uygulamasına girin, ardından uygulamadaki kodu yazın.',
  },
  SESSION_TOTP_RECOVERY: {
    en: 'Recovery codes, shown only now. Each works once.',
    tr: 'Kurtarma kodları yalnızca şimdi gösterilir. Her biri bir kez kullanılır.',
  },
})
