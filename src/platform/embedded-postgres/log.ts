/** The methods of a logger that the embedded PostgreSQL uses. */
export interface Log {
  info(fields: object | string, message?: string): void
  warn(fields: object | string, message?: string): void
}
