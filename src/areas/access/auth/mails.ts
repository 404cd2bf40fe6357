import { linkWithToken } from '../../../platform/auth/link-token.ts'
import type { Mail } from '../../../platform/mail/mail.ts'

export interface ResetMail {
  readonly to: string
  readonly token: string
  readonly ttlMinutes: number
  readonly baseUrl: string | undefined
}

export function resetMail({ to, token, ttlMinutes, baseUrl }: ResetMail): Mail {
  const link = linkWithToken(baseUrl, '/password-reset', token)
  return {
    to,
    subject: 'Netsaat: şifre sıfırlama / password reset',
    text: `Merhaba,

Netsaat şifrenizi sıfırlamak için bu bağlantıyı açın. Bağlantı ${ttlMinutes} dakika boyunca ve bir kez geçerlidir.
Bu isteği siz yapmadıysanız bir şey yapmanız gerekmez, şifreniz aynı kalır.

Hello,

open this link to reset your Netsaat password. It works once, for ${ttlMinutes} minutes.
If you did not ask for it, there is nothing to do: your password stays as it is.

${link}

Kod / Token: ${token}
`,
  }
}
