import { HTTP_TEXTS } from './messages.ts'
import { invalidInput } from './validation.ts'

/** An entity tag (RFC 9110, section 8.8.3); it may contain commas. */
const ENTITY_TAG = /(?:W\/)?"[!#-~\x80-\xFF]*"/g
/** Stands for a tag in the rest of a header; no header can contain it. */
const PLACEHOLDER = '\0'

/**
 * Reads an If-Match header: `*`, or the entity tags of its list, which may have empty elements. 422 for anything
 * else: such a header would never match, and 412 would say that the record has changed.
 */
export function readIfMatch(header: string): '*' | readonly string[] {
  const text = header.trim()
  if (text === '*') return '*'
  const tags = text.match(ENTITY_TAG) ?? []
  const elements = text.replace(ENTITY_TAG, PLACEHOLDER).split(',')
  const isList = elements.every((element) => ['', PLACEHOLDER].includes(element.trim()))
  if (tags.length === 0 || !isList) throw invalidInput(['header', 'if-match'], HTTP_TEXTS.IF_MATCH_SYNTAX())
  return tags
}
