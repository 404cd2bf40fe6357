import type { FastifyReply, FastifyRequest } from 'fastify'
import { DEFAULT_LANGUAGE, LANGUAGES, type Language, type Message, textOf } from '../../kernel/messages.ts'

/** The longest Accept-Language that is read; browsers send less than 100 characters. */
const HEADER_LENGTH_MAX = 500

interface Range {
  readonly tag: string
  readonly quality: number
}

function rangeOf(text: string): Range {
  const [tag = '', ...options] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = options.find((option) => option.startsWith('q='))?.slice(2)
  return { tag, quality: quality === undefined ? 1 : Number(quality) }
}

/**
 * Selects the language by Accept-Language (RFC 9110, 12.5.4): the supported language with the highest quality,
 * the first of several; without one, the fallback.
 */
export function negotiate(header: string | undefined, fallback: Language = DEFAULT_LANGUAGE): Language {
  if (!header) return fallback
  const ranges = header.slice(0, HEADER_LENGTH_MAX).split(',').map(rangeOf)
  let best: { language: Language; quality: number } | undefined
  for (const { tag, quality } of ranges) {
    const [primary] = tag.split('-')
    const language = tag === '*' ? fallback : LANGUAGES.find((known) => known === primary)
    if (language && quality > (best?.quality ?? 0)) best = { language, quality }
  }
  return best?.language ?? fallback
}

function addVary(reply: FastifyReply): void {
  const vary = String(reply.getHeader('Vary') ?? '')
  if (/(^|,)\s*(accept-language|\*)\s*(,|$)/i.test(vary)) return
  void reply.header('Vary', vary === '' ? 'Accept-Language' : `${vary}, Accept-Language`)
}

/**
 * Returns the language of the texts of a response, and declares it in the headers of the response. `fallback` is
 * the language for a client that sends no Accept-Language.
 */
export function languageOf(reply: FastifyReply, fallback: Language = DEFAULT_LANGUAGE): Language {
  const { request } = reply as { request: FastifyRequest }
  const language = negotiate(request.headers['accept-language'], fallback)
  addVary(reply)
  void reply.header('Content-Language', language)
  return language
}

/** The body of a response that only says what happened. */
export const messageBody = (reply: FastifyReply, message: Message): { message: string } => ({
  message: textOf(message, languageOf(reply)),
})
