/** The part of a logger that is used here. */
export interface Log {
  info(fields: object | string, message?: string): void
  warn(fields: object | string, message?: string): void
}
