import type { Language } from '../../../kernel/messages.ts'
import { linkWithToken } from '../../../platform/auth/link-token.ts'
import { composeLetter } from '../../../platform/mail/compose.ts'
import type { Mail } from '../../../platform/mail/mail.ts'
import { SIGNUP_MAILS } from './messages.ts'

interface Recipient {
  readonly to: string
  /** As the signup asks for it; null: Turkish and English. */
  readonly language: Language | null
  readonly baseUrl: string | undefined
}

/** The mails contain no text of the person who signs up, because anybody can enter the address. */
export const signupMail = ({ baseUrl, ...recipient }: Recipient, token: string): Mail =>
  composeLetter({
    ...recipient,
    subject: SIGNUP_MAILS.SIGNUP_MAIL_SUBJECT(),
    body: SIGNUP_MAILS.SIGNUP_MAIL(),
    link: linkWithToken(baseUrl, '/signup', token),
    token,
  })

/** Sent instead of a link when the address has an account, so that the response does not reveal it. */
export const alreadyRegisteredMail = ({ baseUrl, ...recipient }: Recipient): Mail =>
  composeLetter({
    ...recipient,
    subject: SIGNUP_MAILS.REGISTERED_MAIL_SUBJECT(),
    body: SIGNUP_MAILS.REGISTERED_MAIL(),
    link: baseUrl,
  })
