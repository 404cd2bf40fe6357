import { LANGUAGES, type Language, type Message, messages, textOf } from '../../kernel/messages.ts'
import type { Mail } from './mail.ts'

const MAIL_TEXTS = messages({
  MAIL_GREETING: { en: 'Hello,', tr: 'Merhaba,' },
  MAIL_TOKEN: { en: 'Token', tr: 'Kod' },
})

const LINE_LENGTH = 112

/** Breaks a text into lines between its words. */
function wrapped(text: string): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + word.length >= LINE_LENGTH) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join('\n')
}

export interface LetterParts {
  readonly to: string
  /** The language of the recipient; null: Turkish and English in one mail. */
  readonly language: Language | null
  readonly subject: Message
  readonly body: Message
  readonly link?: string | undefined
  readonly token?: string
}

/** Composes a mail to a person in the language of the person. */
export function composeLetter({ to, language, subject, body, link, token }: LetterParts): Mail {
  const languages = language === null ? LANGUAGES : [language]
  const inAll = (message: Message) => languages.map((one) => textOf(message, one)).join(' / ')
  const paragraphs = [
    ...languages.flatMap((one) => [textOf(MAIL_TEXTS.MAIL_GREETING(), one), wrapped(textOf(body, one))]),
    ...(link ? [link] : []),
    ...(token ? [`${inAll(MAIL_TEXTS.MAIL_TOKEN())}: ${token}`] : []),
  ]
  return { to, subject: `Netsaat: ${inAll(subject)}`, text: `${paragraphs.join('\n\n')}\n` }
}
