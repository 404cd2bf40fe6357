import { type Static, Type } from 'typebox'
import { described, Id, Instant, InstantIn, Nullable, OneOf, Word } from '../../../platform/http/fields.ts'
import { PageQuery, Search } from '../../../platform/http/page.ts'
import { Command } from '../commands/index.ts'

export const FILE_KINDS = ['diagnostics', 'security'] as const
export type FileKind = (typeof FILE_KINDS)[number]
export const FILE_STATES = ['waiting', 'received', 'failed', 'expired'] as const
export type FileState = (typeof FILE_STATES)[number]

export const ChargerFile = Type.Object(
  {
    id: Id,
    charger_id: Id,
    command_id: Nullable({ ...Id, description: 'Command that requested the file.' }),
    kind: {
      ...Word(FILE_KINDS),
      description: 'Kind of the file: diagnostics, or the log of security events.',
    },
    state: {
      ...Word(FILE_STATES),
      description: 'waiting for the station; received; failed: the station could not send the file; expired.',
    },
    file_name: Nullable(Type.String({ description: 'File name given by the station.' })),
    size_bytes: Nullable(
      Type.Integer({ description: 'Size of the file in bytes; null until it is received.' }),
    ),
    sha256: Nullable(Type.String({ description: 'SHA-256, hexadecimal.' })),
    created_at: Instant,
    received_at: Nullable(Instant),
    expires_at: { ...Instant, description: 'Time after which uploads are rejected.' },
  },
  { title: 'ChargerFile' },
)

export const ChargerFileQuery = Type.Object({
  ...PageQuery(['created_at', 'received_at']),
  search: Search('file name'),
  kind: Type.Optional(described(OneOf(FILE_KINDS), 'Only records of this kind.')),
  state: Type.Optional(described(OneOf(FILE_STATES), 'Only records in this state.')),
})
export type ChargerFileQuery = Static<typeof ChargerFileQuery>

/**
 * An address with one of the schemes that stations know. Whether it can be reached, the station finds out.
 */
const Url = Type.String({ pattern: '^(https?|ftps?|sftp)://[^\\s]+$', maxLength: 512 })

export const RequestFile = Type.Object(
  {
    kind: described(OneOf(FILE_KINDS), 'Kind of the file: diagnostics, or the log of security events.'),
    location: Type.Optional(
      described(
        Url,
        'Upload URL that the station can reach (http, https, ftp, ftps, sftp). Default: this service.',
      ),
    ),
    from: Type.Optional(described(InstantIn, 'Only entries at or after this time.')),
    to: Type.Optional(described(InstantIn, 'Only entries before this time.')),
    retries: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 100, description: 'Number of upload retries of the station.' }),
    ),
    retry_interval_seconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 86_400, description: 'Seconds between two attempts.' }),
    ),
  },
  { title: 'RequestChargerFile' },
)
export type RequestFile = Static<typeof RequestFile>

export const RequestedFile = Type.Object(
  {
    command: { ...Command, description: 'Command that was sent to the station.' },
    file_id: Nullable({ ...Id, description: 'Id of the file; null if it is uploaded to another location.' }),
  },
  { title: 'RequestedChargerFile' },
)
export const FileParams = Type.Object({ id: Id, file_id: Id })

/** The request of `get_diagnostics` and `get_security_log`. */
export interface GetFile {
  readonly kind: FileKind
  /** The address that the station uploads the file to. */
  readonly location: string
  /** The time of the entries, ISO 8601. */
  readonly from?: string
  readonly to?: string
  readonly retries?: number
  readonly retry_interval_seconds?: number
}
