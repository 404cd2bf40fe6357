/**
 * Compiles the schemas of routes into validators and serializers, each at the first request that needs it, and
 * once for all routes and apps of the process that have an equal schema.
 * Compiling those of all routes took most of the time of a start (0.4 of 0.55 s of processor time), and a
 * process uses a part of them only. The price is a few milliseconds at the first request of a route, and that
 * a schema which cannot be compiled is noticed then; `test/guards/route-schemas.test.ts` compiles them all.
 */
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { App } from './app-type.ts'
import { compileOnce } from './compile-once.ts'
import { lazyValidator, makeAjv } from './validation.ts'

const literal = makeAjv({ coerceTypes: false, useDefaults: true })
const fromText = makeAjv({ coerceTypes: 'array', useDefaults: true })
const literalValidator = compileOnce((schema) => literal.compile(schema))
const textValidator = compileOnce((schema) => fromText.compile(schema))
const compileSerializer = SerializerSelector()()
const serializerOf = compileOnce((schema) =>
  compileSerializer({ schema, method: '', url: '', httpStatus: '' }),
)

/**
 * Sets the compilers of the app. Bodies are validated without type conversion; query strings and path
 * parameters, which are text, are converted.
 */
export function compileSchemasLazily(app: App): void {
  app.setValidatorCompiler(({ schema, httpPart }) =>
    lazyValidator(() => (httpPart === 'body' ? literalValidator : textValidator)(schema as object)),
  )
  app.setSerializerCompiler(({ schema }) => {
    let serialize: ReturnType<typeof compileSerializer> | undefined
    return (document) => {
      serialize ??= serializerOf(schema as object)
      return serialize(document)
    }
  })
}
