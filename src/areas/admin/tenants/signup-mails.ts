import { linkWithToken } from '../../../platform/auth/link-token.ts'
import type { Mail } from '../../../platform/mail/mail.ts'

/** The mails contain no text of the person who signs up, because anybody can enter the address. */
export function signupMail(to: string, token: string, baseUrl: string | undefined): Mail {
  return {
    to,
    subject: 'Netsaat: hesabınızı etkinleştirin / activate your account',
    text: `Merhaba,

bu adresle bir Netsaat hesabı açılmak isteniyor. Etkinleştirmek için bağlantıyı 24 saat içinde açın ve kayıtta
seçtiğiniz şifreyi yazın. Kaydı siz yapmadıysanız bir şey yapmanız gerekmez, hesap açılmaz.

Hello,

a Netsaat account was requested with this address. To activate it, open this link within 24 hours and enter the
password that you chose. If it was not you, there is nothing to do: no account is opened.

${linkWithToken(baseUrl, '/signup', token)}

Kod / Token: ${token}
`,
  }
}

/** Sent instead of a link when the address has an account, so that the response does not reveal it. */
export function alreadyRegisteredMail(to: string, baseUrl: string | undefined): Mail {
  return {
    to,
    subject: 'Netsaat: hesabınız zaten var / you already have an account',
    text: `Merhaba,

bu adresle yeni bir Netsaat hesabı açılmak istendi, ancak adresin zaten bir hesabı var. Şifrenizi unuttuysanız
yeni bir şifre isteyebilirsiniz. Kaydı siz yapmadıysanız bir şey yapmanız gerekmez.

Hello,

somebody tried to open a new Netsaat account with this address, but it has an account already. If you have
forgotten your password, you can request a new one. If it was not you, there is nothing to do.
${baseUrl ? `\n${baseUrl}\n` : ''}`,
  }
}
