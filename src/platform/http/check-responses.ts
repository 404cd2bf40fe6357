import { parseAnyInstant } from '../../kernel/time.ts'
import type { App } from './app-type.ts'
import { makeAjv } from './validation.ts'

/**
 * For tests: holds every answer against its schema before it is written, because the serializer drops unknown
 * fields and converts types without a word, so that a wrong row would look right.
 */
export function checkResponses(app: App): void {
  const ajv = makeAjv({ coerceTypes: false })
  // What a device's clock said is given back, be it ever so wrong.
  ajv.addFormat('date-time', (text: string) => parseAnyInstant(text) !== undefined)
  app.addHook('preSerialization', async (request, reply, payload: unknown) => {
    const responses = request.routeOptions.schema?.response as Record<string, object> | undefined
    const schema = responses?.[reply.statusCode]
    const json: unknown = payload === null ? null : JSON.parse(JSON.stringify(payload))
    if (schema && !ajv.validate(schema, json)) {
      throw new Error(`the answer breaks its schema: ${ajv.errorsText()} in ${JSON.stringify(json)}`)
    }
    return payload
  })
}
