/**
 * Compiles the schemas of routes into validators and serializers, each at the first request that needs it.
 * Compiling those of all routes took most of the time of a start (0.4 of 0.55 s of processor time), and a
 * process uses a part of them only. The price is a few milliseconds at the first request of a route, and that
 * a schema which cannot be compiled is noticed then; `test/guards/route-schemas.test.ts` compiles them all.
 */
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { ErrorObject, ValidateFunction } from 'ajv'
import type { App } from './app-type.ts'
import { makeAjv } from './validation.ts'

interface Validator {
  (value: unknown): boolean
  errors?: ErrorObject[] | null
}

function lazyValidator(compile: () => ValidateFunction): Validator {
  let compiled: ValidateFunction | undefined
  const validate: Validator = (value) => {
    compiled ??= compile()
    const isValid = compiled(value)
    validate.errors = compiled.errors ?? null
    return isValid
  }
  return validate
}

/**
 * Sets the compilers of the app. Bodies are validated without type conversion; query strings and path
 * parameters, which are text, are converted.
 */
export function compileSchemasLazily(app: App): void {
  const literal = makeAjv({ coerceTypes: false, useDefaults: true })
  const fromText = makeAjv({ coerceTypes: 'array', useDefaults: true })
  app.setValidatorCompiler(({ schema, httpPart }) =>
    lazyValidator(() => (httpPart === 'body' ? literal : fromText).compile(schema as object)),
  )
  const compileSerializer = SerializerSelector()()
  app.setSerializerCompiler(({ httpStatus = '', ...route }) => {
    let serialize: ReturnType<typeof compileSerializer> | undefined
    return (document) => {
      serialize ??= compileSerializer({ ...route, httpStatus })
      return serialize(document)
    }
  })
}
