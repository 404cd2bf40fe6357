import { messages } from '../../../../src/kernel/messages.ts'

export const SESSION_TEXTS = messages({
  SESSION_RESET: { en: 'New password', tr: 'Yeni parola' },
  SESSION_RESET_HINT: {
    en: 'Enter the address of your account. The link in the mail leads back to this page.',
    tr: 'Hesabınızın adresini yazın. E-postadaki bağlantı bu sayfaya getirir.',
  },
  SESSION_PASSWORD_RULE: {
    en: '{min} to {max} characters, with at least one letter and one digit',
    tr: '{min} ile {max} karakter arası, en az bir harf ve bir rakam',
  },
  SESSION_PASSWORD_AGAIN: { en: 'New password once more', tr: 'Yeni parola, bir kez daha' },
  SESSION_PASSWORDS_DIFFER: {
    en: 'The two passwords are not the same.',
    tr: 'İki parola birbirinden farklı.',
  },
  SESSION_LINK_INCOMPLETE: {
    en: 'The link is not complete. Open the link of the mail again.',
    tr: 'Bağlantı eksik. E-postadaki bağlantıyı yeniden açın.',
  },
  SESSION_INVITATION: { en: 'Open your account', tr: 'Hesabınızı açın' },
  SESSION_INVITATION_HINT: {
    en: 'You were invited to Netsaat. Enter your name and choose a password.',
    tr: "Netsaat'e davet edildiniz. Adınızı yazın ve bir parola belirleyin.",
  },
  SESSION_FULL_NAME: { en: 'Name and surname', tr: 'Ad ve soyad' },
  SESSION_OPEN_ACCOUNT: { en: 'Open the account', tr: 'Hesabı aç' },
  SESSION_ACCOUNT_OPEN: {
    en: 'The account {email} is open. Sign in with your password.',
    tr: '{email} hesabı açıldı. Parolanızla oturum açın.',
  },
  SESSION_SIGNUP: { en: 'New organisation', tr: 'Yeni kurum' },
  SESSION_SIGN_UP: { en: 'Sign up', tr: 'Kaydol' },
  SESSION_TENANT_NAME: { en: 'Name of the organisation', tr: 'Kurumun adı' },
  SESSION_SIGNUP_CLOSED: {
    en: 'Signing up is not enabled on this service. Ask its operator for an account.',
    tr: 'Bu hizmette kayıt kapalı. Hizmeti işletenden bir hesap isteyin.',
  },
  SESSION_SIGNUP_MAILED: {
    en: 'A mail was sent to {email}. Open its link to activate the account.',
    tr: '{email} adresine bir e-posta gönderildi. Hesabı etkinleştirmek için bağlantısını açın.',
  },
  SESSION_SEND_AGAIN: { en: 'Send the link again', tr: 'Bağlantıyı yeniden gönder' },
  SESSION_CONFIRM_HINT: {
    en: 'Enter the password that you chose when you signed up.',
    tr: 'Kayıtta seçtiğiniz parolayı yazın.',
  },
  SESSION_ACTIVATE: { en: 'Activate', tr: 'Etkinleştir' },
  SESSION_VERIFICATION: { en: 'Verify the e-mail address', tr: 'E-posta adresini doğrula' },
  SESSION_VERIFICATION_HINT: {
    en: 'Enter the password of your account.',
    tr: 'Hesabınızın parolasını yazın.',
  },
  SESSION_VERIFY: { en: 'Verify', tr: 'Doğrula' },
  SESSION_VERIFIED: { en: 'The e-mail address is verified.', tr: 'E-posta adresi doğrulandı.' },
  SESSION_NOT_VERIFIED: {
    en: 'The address is not verified: no mails about alarms are sent to it.',
    tr: 'Adres doğrulanmadı: alarm e-postaları bu adrese gönderilmez.',
  },
  SESSION_TOTP_LEFT: {
    en: 'Recovery codes left: {count}',
    tr: 'Kalan kurtarma kodu: {count}',
  },
  SESSION_TOTP_REQUIRED: {
    en: 'The organisation requires one-time passwords.',
    tr: 'Kurum, tek kullanımlık parolayı zorunlu tutuyor.',
  },
  SESSION_TOTP_REPLACE: { en: 'New recovery codes', tr: 'Yeni kurtarma kodları' },
  SESSION_TOTP_REMOVE: { en: 'Remove one-time passwords', tr: 'Tek kullanımlık parolaları kaldır' },
  SESSION_TOTP_REMOVED: {
    en: 'One-time passwords are removed.',
    tr: 'Tek kullanımlık parolalar kaldırıldı.',
  },
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
  SESSION_TENANT: { en: 'Tenant', tr: 'Kurum' },
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
