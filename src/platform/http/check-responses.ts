import { parseAnyInstant } from '../../kernel/time.ts'
import type { App } from './app-type.ts'
import { makeAjv } from './validation.ts'

/**
 * For tests: validates every response against its schema before it is serialized. The serializer silently
 * drops unknown fields and converts types, which would hide a wrong row.
 */
export function checkResponses(app: App): void {
  const ajv = makeAjv({ coerceTypes: false })
  // The timestamp of a device's clock is returned unchanged, even when it is wrong.
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
