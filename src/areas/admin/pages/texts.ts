import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../../kernel/limits.ts'

export type PageLanguage = 'tr' | 'en'
export type PageName = 'password-reset' | 'invitation' | 'signup' | 'email-verification'

interface PageTexts {
  readonly title: string
  readonly intro: string
  readonly button: string
  readonly done: string
  readonly expired: string
  /** Replaces the common text. */
  readonly refused?: string
}

interface CommonTexts {
  readonly fullName: string
  readonly password: string
  readonly ownPassword: string
  readonly again: string
  readonly rule: string
  readonly waiting: string
  readonly different: string
  readonly refused: string
  readonly later: string
  readonly failed: string
  readonly scriptless: string
}

const TR: CommonTexts = {
  fullName: 'Adınız ve soyadınız',
  password: 'Yeni şifre',
  ownPassword: 'Şifreniz',
  again: 'Yeni şifre, bir kez daha',
  rule: `${PASSWORD_MIN_LENGTH} ile ${PASSWORD_MAX_LENGTH} karakter arası; en az bir harf ve bir rakam.`,
  waiting: 'Gönderiliyor…',
  different: 'İki şifre birbirinden farklı.',
  refused: 'Girdikleriniz kabul edilmedi. Şifre kuralına uyduğundan emin olun.',
  later: 'Çok fazla deneme oldu. Biraz bekleyip yeniden deneyin.',
  failed: 'Şu anda yapılamadı. Biraz sonra yeniden deneyin.',
  scriptless: 'Bu sayfa için JavaScript gerekir.',
}

const EN: CommonTexts = {
  fullName: 'Your name and surname',
  password: 'New password',
  ownPassword: 'Your password',
  again: 'New password once more',
  rule:
    `${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters, ` +
    'with at least one letter and one digit.',
  waiting: 'Sending…',
  different: 'The two passwords are not the same.',
  refused: 'What you have entered was not accepted. Make sure that the password keeps its rule.',
  later: 'There were too many attempts. Wait a little and try again.',
  failed: 'It did not work just now. Try again in a moment.',
  scriptless: 'This page needs JavaScript.',
}

export const COMMON: Readonly<Record<PageLanguage, CommonTexts>> = { tr: TR, en: EN }

export const PAGES: Readonly<Record<PageName, Readonly<Record<PageLanguage, PageTexts>>>> = {
  'password-reset': {
    tr: {
      title: 'Yeni şifre',
      intro: 'Netsaat hesabınız için yeni bir şifre belirleyin.',
      button: 'Şifreyi değiştir',
      done: 'Şifreniz değişti. Artık yeni şifrenizle oturum açabilirsiniz.',
      expired:
        'Bağlantı geçerli değil: eksik, süresi dolmuş ya da daha önce kullanılmış. ' +
        'Yeni bir bağlantı isteyin.',
    },
    en: {
      title: 'New password',
      intro: 'Choose a new password for your Netsaat account.',
      button: 'Change the password',
      done: 'Your password is changed. You can sign in with it now.',
      expired:
        'The link does not work: it is not complete, has expired or was used before. Ask for a new one.',
    },
  },
  invitation: {
    tr: {
      title: 'Hesabınızı açın',
      intro: "Netsaat'e davet edildiniz. Adınızı yazın ve bir şifre belirleyin.",
      button: 'Hesabı aç',
      done: 'Hesabınız açıldı. Davetin geldiği e-posta adresi ve şifrenizle oturum açabilirsiniz.',
      expired:
        'Davet geçerli değil: bağlantı eksik, süresi dolmuş ya da daha önce kullanılmış. ' +
        'Sizi davet edenden yenisini isteyin.',
    },
    en: {
      title: 'Open your account',
      intro: 'You were invited to Netsaat. Write your name and choose a password.',
      button: 'Open the account',
      done: 'Your account is open. Sign in with the address that the invitation came to, and your password.',
      expired:
        'The invitation does not work: the link is not complete, has expired or was used before. ' +
        'Ask who invited you for a new one.',
    },
  },
  signup: {
    tr: {
      title: 'Hesabınızı etkinleştirin',
      intro: 'Kayıtta seçtiğiniz şifreyi yazın.',
      button: 'Etkinleştir',
      done: 'Hesabınız etkin. E-posta adresiniz ve şifrenizle oturum açabilirsiniz.',
      expired: 'Bağlantı geçerli değil: eksik, süresi dolmuş ya da daha önce kullanılmış. Yeniden kaydolun.',
      refused: 'Şifre kayıtta seçtiğiniz şifre değil.',
    },
    en: {
      title: 'Activate your account',
      intro: 'Enter the password that you chose when you signed up.',
      button: 'Activate',
      done: 'Your account is active. Sign in with your e-mail address and your password.',
      expired: 'The link does not work: it is not complete, has expired or was used before. Sign up again.',
      refused: 'This is not the password that you chose when you signed up.',
    },
  },
  'email-verification': {
    tr: {
      title: 'E-posta adresinizi doğrulayın',
      intro: 'Netsaat hesabınızın şifresini yazın.',
      button: 'Doğrula',
      done: 'E-posta adresiniz doğrulandı.',
      expired:
        'Bağlantı geçerli değil: eksik, süresi dolmuş ya da daha önce kullanılmış. ' +
        'Yeni bir bağlantı isteyin.',
      refused: 'Şifre yanlış.',
    },
    en: {
      title: 'Verify your e-mail address',
      intro: 'Enter the password of your Netsaat account.',
      button: 'Verify',
      done: 'Your e-mail address is verified.',
      expired:
        'The link does not work: it is not complete, has expired or was used before. Ask for a new one.',
      refused: 'The password is wrong.',
    },
  },
}

interface LandingTexts {
  readonly intro: string
  readonly api: string
  readonly document: string
  readonly health: string
  readonly readiness: string
  readonly signIn: string
}

export const LANDING: Readonly<Record<PageLanguage, LandingTexts>> = {
  tr: {
    intro: 'Enerji izleme ve saatlik mahsuplaşma servisi çalışıyor.',
    api: 'API belgeleri',
    document: 'OpenAPI dosyası',
    health: 'Süreç durumu',
    readiness: 'Bağımlılıkların durumu',
    signIn: 'Oturum açmak için:',
  },
  en: {
    intro: 'The service for energy monitoring and hourly netting is running.',
    api: 'API documentation',
    document: 'OpenAPI document',
    health: 'Health of the process',
    readiness: 'State of the dependencies',
    signIn: 'To sign in:',
  },
}
