import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { type Language, type Message, textOf } from '../../kernel/messages.ts'
import type { App } from './app-type.ts'
import { languageOf } from './language.ts'

/**
 * Fields of a response whose value is a message and that the client receives as its text.
 *
 * A handler returns the message as it is stored. Before the response is serialized, the message is replaced by its
 * text in the language of the request. The fields are found by the schema of the response and not by their values,
 * because JSON of a client may look like a message.
 */
const isMessageText = Symbol('message text')

/** A message that the client receives as text; `Nullable` and `described` accept it. */
export const MessageText = (description: string) =>
  Type.Unsafe<Message>({
    type: 'string',
    description: `${description} In the language of Accept-Language.`,
    [isMessageText]: true,
  })

/** A message, or a text of a person or of a device, which the client receives unchanged. */
export const TextOrMessage = (description: string) =>
  Type.Unsafe<string | Message>({
    type: 'string',
    description: `${description} Texts of the service are in the language of Accept-Language.`,
    [isMessageText]: true,
  })

type TextOf = (message: Message) => string
/** Returns a value with texts in the place of its messages. */
type Compose = (value: unknown, textOf: TextOf) => unknown

interface ResponseSchema {
  readonly [isMessageText]?: true
  readonly properties?: Readonly<Record<string, ResponseSchema>>
  readonly items?: ResponseSchema
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const isMessage = (value: unknown): value is Message => isObject(value) && typeof value['code'] === 'string'

const composers = new WeakMap<object, { readonly compose: Compose | undefined }>()

/** The composer of a schema; undefined for a schema without messages. Made once for each schema. */
function composerOf(schema: ResponseSchema): Compose | undefined {
  let known = composers.get(schema)
  if (known === undefined) {
    known = { compose: makeComposer(schema) }
    composers.set(schema, known)
  }
  return known.compose
}

function makeComposer(schema: ResponseSchema): Compose | undefined {
  if (schema[isMessageText]) return (value, textOf) => (isMessage(value) ? textOf(value) : value)
  const compose = schema.items && composerOf(schema.items)
  if (compose)
    return (value, textOf) => (Array.isArray(value) ? value.map((item) => compose(item, textOf)) : value)
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const composeField = composerOf(field)
    return composeField ? [{ name, composeField }] : []
  })
  if (fields.length === 0) return undefined
  return (value, textOf) => {
    if (!isObject(value)) return value
    const texts = fields.map(({ name, composeField }) => [name, composeField(value[name], textOf)])
    return { ...value, ...Object.fromEntries(texts) }
  }
}

/** Returns a response with the texts of its messages. `language` is called only when there is a message. */
export const withMessageTexts = (payload: unknown, schema: object, language: () => Language): unknown => {
  const compose = composerOf(schema as ResponseSchema)
  return compose ? compose(payload, (message) => textOf(message, language())) : payload
}

/** The names of the fields of an object schema that are messages. */
export function messageFields(schema: object): string[] {
  const { properties = {} } = schema as ResponseSchema
  return Object.keys(properties).filter((name) => properties[name]?.[isMessageText])
}

/** Sends messages as texts; registered before everything that reads the payload of a response. */
export function sendMessageTexts(app: App): void {
  app.addHook('preSerialization', (request, reply: FastifyReply, payload: unknown, done) => {
    const responses = request.routeOptions.schema?.response as Readonly<Record<string, object>> | undefined
    const schema = responses?.[reply.statusCode]
    done(null, schema ? withMessageTexts(payload, schema, () => languageOf(reply)) : payload)
  })
}
