/**
 * Returns the message of an error for a user. Some system errors have no message of their own, for example
 * those of a host name with two addresses.
 */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
