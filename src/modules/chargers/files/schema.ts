import { type Static, Type } from 'typebox'
import { Id, Instant, Nullable, OneOf, Word } from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page.ts'

export const FILE_KINDS = ['diagnostics', 'security'] as const
export type FileKind = (typeof FILE_KINDS)[number]
export const FILE_STATES = ['waiting', 'received', 'failed', 'expired'] as const

export const ChargerFile = Type.Object({
  id: Id,
  charger_id: Id,
  command_id: Nullable({ ...Id, description: 'The command that asked for it.' }),
  kind: Word(FILE_KINDS),
  state: {
    ...Word(FILE_STATES),
    description: 'waiting for the station; received; failed: the station could not send it; expired.',
  },
  file_name: Nullable(Type.String({ description: 'As the station calls it.' })),
  size_bytes: Nullable(Type.Integer()),
  sha256: Nullable(Type.String({ description: 'Hexadecimal.' })),
  created_at: Instant,
  received_at: Nullable(Instant),
  expires_at: { ...Instant, description: 'Nothing is received after this.' },
})

export const ChargerFileQuery = Type.Object({
  ...PageQuery(['created_at', 'received_at']),
  kind: Type.Optional(OneOf(FILE_KINDS)),
  state: Type.Optional(OneOf(FILE_STATES)),
})
export type ChargerFileQuery = Static<typeof ChargerFileQuery>
