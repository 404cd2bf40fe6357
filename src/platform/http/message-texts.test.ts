import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { messages } from '../../kernel/messages.ts'
import { described, Nullable } from './fields.ts'
import { MessageText, messageFields, withMessageTexts } from './message-texts.ts'
import { Page } from './page.ts'

const TEXTS = messages({ TEST_STORED: { en: '{count} failed', tr: '{count} başarısız' } })
const reason = TEXTS.TEST_STORED({ count: 2 })

const Item = Type.Object({
  id: Type.String(),
  config: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
  reason: Nullable(described(MessageText('Reason.'), 'Other description.')),
  events: Type.Array(Type.Object({ detail: MessageText('Detail.') })),
})
const item = { id: 'a', config: reason, reason, events: [{ detail: reason }] }

describe('messages in a response', () => {
  it('become texts in the language of the reader, also in lists', () => {
    const page = { items: [item], total: 1, skip: 0, limit: 1 }
    expect(withMessageTexts(page, Page(Item), () => 'tr')).toEqual({
      ...page,
      items: [{ ...item, reason: '2 başarısız', events: [{ detail: '2 başarısız' }] }],
    })
    expect(withMessageTexts(item, Item, () => 'en')).toMatchObject({ reason: '2 failed' })
  })

  it('are found by the schema: JSON of a client that looks like a message is unchanged', () => {
    expect(withMessageTexts(item, Item, () => 'en')).toMatchObject({ config: reason })
  })

  it('leave null and a response without messages unchanged, without a language', () => {
    const empty = { ...item, reason: null, events: [] }
    const language = () => {
      throw new Error('there is no text')
    }
    expect(withMessageTexts(empty, Item, language)).toEqual(empty)
    const plain = { id: 'a' }
    expect(withMessageTexts(plain, Type.Object({ id: Type.String() }), language)).toBe(plain)
  })

  it('are strings in the API document, and no fields that people write', () => {
    expect(JSON.parse(JSON.stringify(Item.properties.reason))).toEqual({
      type: ['string', 'null'],
      description: 'Other description.',
    })
    expect(messageFields(Item)).toEqual(['reason'])
  })
})
