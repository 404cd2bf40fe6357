type Json = Readonly<Record<string, unknown>>

/** Returns the OpenAPI document with each reference replaced by the part of the document that it names. */
export function withoutReferences<T extends object>(document: T): T {
  const partOf = (reference: string): unknown =>
    reference
      .split('/')
      .slice(1)
      .reduce<unknown>((part, key) => (part as Json)[key], document)
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...rest } = value as Json
    const resolved = Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, resolve(inner)]))
    return typeof $ref === 'string' ? { ...(resolve(partOf($ref)) as object), ...resolved } : resolved
  }
  return resolve(document) as T
}
