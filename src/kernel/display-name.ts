import { ERROR_TEXTS } from './error-texts.ts'
import type { Message } from './messages.ts'

/**
 * Names of tenants and users, which everybody can choose and which are part of mails. A name must not look
 * like a part of the mail: like further lines, text in another direction, or a link.
 */

/** Control, private and lone surrogate characters, separators of lines, and format characters except joiners. */
const UNPRINTABLE = /[\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u
const UNPRINTABLES = new RegExp(`(?:${UNPRINTABLE.source})+`, 'gu')
/** Persian and Indic scripts and emoji need joiners, so they are allowed. */
const JOINERS = /[\u200c\u200d]/g

/** Most common ones only: abbreviations such as `San.Tic.Ltd.Şti.` must remain possible. */
const TOP_LEVEL_DOMAINS = [
  ...['com', 'net', 'org', 'info', 'biz', 'io', 'app', 'dev', 'xyz', 'online', 'site', 'website', 'shop'],
  ...['store', 'top', 'club', 'link', 'click', 'live', 'page', 'space', 'tech', 'cloud', 'icu', 'vip'],
  ...['tr', 'ru', 'cn', 'ly', 'gl', 'gd', 'gov', 'edu'],
].join('|')

const LINKS = [
  /:\/\/|(?:^|\s)\/\//u,
  /(?:javascript|vbscript|data|mailto|file):/u,
  /(?<![\p{L}\p{N}])www\.\S/u,
  /@[\p{L}\p{N}-]+\.\p{L}/u,
  /[\p{L}\p{N}]\.[a-z]{2,}[/:?#]\S/u,
  /\d{1,3}(?:\.\d{1,3}){3}[/:?#]/u,
  new RegExp(`[\\p{L}\\p{N}]\\.(?:${TOP_LEVEL_DOMAINS})(?![\\p{L}\\p{N}-])`, 'u'),
]

/** Full-width letters and full stops of other scripts are read as ASCII by browsers. */
const asBrowser = (name: string): string =>
  name.normalize('NFKC').replace(JOINERS, '').replaceAll('。', '.').toLowerCase()

/** Returns what is wrong with a name, or undefined. */
export function displayNameFault(name: string): Message | undefined {
  if (UNPRINTABLE.test(name)) return ERROR_TEXTS.NAME_NOT_ONE_LINE()
  const text = asBrowser(name)
  return LINKS.some((link) => link.test(text)) ? ERROR_TEXTS.NAME_HAS_LINK() : undefined
}

/**
 * Returns a name for the text of a mail: on one line, and with blanks so that mail programs do not turn it
 * into a link. `displayNameFault` cannot recognize every domain.
 */
export const nameInMail = (name: string): string =>
  name
    .replace(UNPRINTABLES, ' ')
    .replaceAll('://', ': //')
    .replace(/([.@。．｡])(?=\S)/gu, '$1 ')
