import { createHash } from 'node:crypto'

/**
 * Returns a compiler that compiles equal schemas once. Schemas are equal when their JSON is equal, because routes
 * build some of theirs again for every app. The digest stands for the JSON, which would occupy memory.
 */
export function compileOnce<T>(compile: (schema: object) => T): (schema: object) => T {
  const byDigest = new Map<string, T>()
  return (schema) => {
    const digest = createHash('sha256').update(JSON.stringify(schema)).digest('base64')
    let compiled = byDigest.get(digest)
    if (compiled === undefined) {
      compiled = compile(schema)
      byDigest.set(digest, compiled)
    }
    return compiled
  }
}
