/**
 * Takes the writable columns out of a request body. Unknown and not-writable keys are ignored (the interface
 * is additive), so a body must never reach a statement whole.
 */
export function insertable<T extends object, const K extends readonly (keyof T)[]>(
  body: T,
  writable: K,
): Pick<T, K[number]> {
  const picked: Partial<T> = {}
  for (const key of writable) if (body[key] !== undefined) picked[key] = body[key]
  return picked as Pick<T, K[number]>
}

/** The same for a partial update: undefined when the body changes nothing. */
export function changes<T extends object, const K extends readonly (keyof T)[]>(
  body: T,
  writable: K,
): Pick<T, K[number]> | undefined {
  const picked = insertable(body, writable)
  return Object.keys(picked).length > 0 ? picked : undefined
}
