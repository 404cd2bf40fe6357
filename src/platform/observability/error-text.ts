/**
 * For a person. Some system errors have no message of their own: a host name with two addresses gives two
 * errors.
 */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
