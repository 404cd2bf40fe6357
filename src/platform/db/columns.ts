/**
 * Returns the writable columns of a request body. Unknown keys and keys that are not writable are ignored,
 * because the interface is additive; a body must therefore never be passed to a statement as a whole.
 */
export function insertable<T extends object, const K extends readonly (keyof T)[]>(
  body: T,
  writable: K,
): Pick<T, K[number]> {
  const picked: Partial<T> = {}
  for (const key of writable) if (body[key] !== undefined) picked[key] = body[key]
  return picked as Pick<T, K[number]>
}

/** Returns the properties of a request body that its schema declares, for a record that keeps the request. */
export const declaredOf = <T extends object>(body: T, { properties }: { readonly properties: object }): T =>
  insertable(body, Object.keys(properties) as (keyof T)[]) as T

/** The same as `insertable` for a partial update; returns undefined when the body changes nothing. */
export function changes<T extends object, const K extends readonly (keyof T)[]>(
  body: T,
  writable: K,
): Pick<T, K[number]> | undefined {
  const picked = insertable(body, writable)
  return Object.keys(picked).length > 0 ? picked : undefined
}
