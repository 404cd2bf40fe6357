import { parseAnyInstant } from '../../kernel/time.ts'
import type { App } from './app-type.ts'
import { compileOnce } from './compile-once.ts'
import { makeAjv } from './validation.ts'

function makeValidatorOf() {
  const ajv = makeAjv({ coerceTypes: false })
  // The timestamp of a device's clock is returned unchanged, even when it is wrong.
  ajv.addFormat('date-time', (text: string) => parseAnyInstant(text) !== undefined)
  return compileOnce((schema) => ajv.compile(schema))
}
/** Of all apps of the process; made by the first app that checks its responses. */
let validatorOf: ReturnType<typeof makeValidatorOf> | undefined

/**
 * For tests: validates every response against its schema before it is serialized. The serializer silently
 * drops unknown fields and converts types, which would hide a wrong row.
 */
export function checkResponses(app: App): void {
  validatorOf ??= makeValidatorOf()
  const compile = validatorOf
  const validators = new WeakMap<object, ReturnType<typeof compile>>()
  app.addHook('preSerialization', async (request, reply, payload: unknown) => {
    const responses = request.routeOptions.schema?.response as Record<string, object> | undefined
    const schema = responses?.[reply.statusCode]
    const json: unknown = payload === null ? null : JSON.parse(JSON.stringify(payload))
    if (!schema) return payload
    const validate = validators.get(schema) ?? compile(schema)
    validators.set(schema, validate)
    if (!validate(json)) {
      const faults = (validate.errors ?? [])
        .map((error) => `${error.instancePath} ${error.message}`)
        .join(', ')
      throw new Error(`the answer breaks its schema: ${faults} in ${JSON.stringify(json)}`)
    }
    return payload
  })
}
