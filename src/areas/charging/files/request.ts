import type { FileKind } from './schema.ts'

/** What `get_diagnostics` and `get_security_log` are asked to do. */
export interface GetFile {
  readonly kind: FileKind
  /** Where the station sends the file to. */
  readonly location: string
  /** Only what happened then, as ISO 8601. */
  readonly from?: string
  readonly to?: string
  readonly retries?: number
  readonly retry_interval_seconds?: number
}
