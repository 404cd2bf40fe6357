import { linkWithToken } from '../../../platform/auth/link-token.ts'
import type { Mail } from '../../../platform/mail/mail.ts'

export interface InvitationMail {
  readonly to: string
  readonly token: string
  /** Name of the tenant. */
  readonly tenant: string
  readonly baseUrl: string | undefined
}

export function invitationMail({ to, token, tenant, baseUrl }: InvitationMail): Mail {
  const link = linkWithToken(baseUrl, '/invitation', token)
  return {
    to,
    subject: 'Netsaat: davet / invitation',
    text: `Merhaba,

"${tenant}" sizi Netsaat'e davet ediyor. Hesabınızı açmak için bağlantıyı 7 gün içinde kullanın.

Hello,

"${tenant}" invites you to Netsaat. Use the link within 7 days to open your account.

${link}

Kod / Token: ${token}
`,
  }
}
