import { type Static, Type } from 'typebox'
import { described, Id, Instant, InstantIn, Nullable, OneOf, Word } from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page.ts'
import { Command } from '../commands/index.ts'

export const FILE_KINDS = ['diagnostics', 'security'] as const
export type FileKind = (typeof FILE_KINDS)[number]
export const FILE_STATES = ['waiting', 'received', 'failed', 'expired'] as const
export type FileState = (typeof FILE_STATES)[number]

export const ChargerFile = Type.Object({
  id: Id,
  charger_id: Id,
  command_id: Nullable({ ...Id, description: 'The command that asked for it.' }),
  kind: { ...Word(FILE_KINDS), description: 'Diagnostics, or the log of security events.' },
  state: {
    ...Word(FILE_STATES),
    description: 'waiting for the station; received; failed: the station could not send it; expired.',
  },
  file_name: Nullable(Type.String({ description: 'As the station calls it.' })),
  size_bytes: Nullable(Type.Integer({ description: 'Of the file; null until it has come.' })),
  sha256: Nullable(Type.String({ description: 'Hexadecimal.' })),
  created_at: Instant,
  received_at: Nullable(Instant),
  expires_at: { ...Instant, description: 'Nothing is received after this.' },
})

export const ChargerFileQuery = Type.Object({
  ...PageQuery(['created_at', 'received_at']),
  kind: Type.Optional(described(OneOf(FILE_KINDS), 'Only of this kind.')),
  state: Type.Optional(described(OneOf(FILE_STATES), 'Only in this state.')),
})
export type ChargerFileQuery = Static<typeof ChargerFileQuery>

/**
 * An address with one of the schemes that stations know. Whether it can be reached, the station finds out.
 */
const Url = Type.String({ pattern: '^(https?|ftps?|sftp)://[^\\s]+$', maxLength: 512 })

export const RequestFile = Type.Object({
  kind: described(OneOf(FILE_KINDS), 'Diagnostics, or the log of security events.'),
  location: Type.Optional(
    described(
      Url,
      'An address of your own that the station can send to (http, https, ftp, ftps, sftp). Absent: to this service.',
    ),
  ),
  from: Type.Optional(described(InstantIn, 'What happened then or later.')),
  to: Type.Optional(described(InstantIn, 'What happened before then.')),
  retries: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 100, description: 'How often the station tries again by itself.' }),
  ),
  retry_interval_seconds: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 86_400, description: 'Between two tries.' }),
  ),
})
export type RequestFile = Static<typeof RequestFile>

export const RequestedFile = Type.Object({
  command: { ...Command, description: 'What the station was told.' },
  file_id: Nullable({ ...Id, description: 'Where the file will be; null when it goes to your own address.' }),
})
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
