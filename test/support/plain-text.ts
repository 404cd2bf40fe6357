import { type Message, messages } from '../../src/kernel/messages.ts'

const TEXTS = messages({ TEST_TEXT: { en: '{text}', tr: '{text}' } })

/** A message with a fixed text, for tests in which the text has no meaning. */
export const plainText = (text: string): Message => TEXTS.TEST_TEXT({ text })
