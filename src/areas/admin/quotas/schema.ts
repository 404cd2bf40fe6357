import { type Static, Type } from 'typebox'
import { Instant, LocalDate, Nullable, Word } from '../../../platform/http/fields.ts'
import { QUOTAS } from '../../access/quotas/index.ts'

const QuotaUse = Type.Object({
  name: { ...Word(QUOTAS), description: 'What is limited.' },
  limit: Nullable(Type.Integer({ description: 'The quota; null: unlimited.' })),
  used: Type.Integer({ description: 'What is used now, or was used today.' }),
})
export const QuotaReport = Type.Object(
  {
    day: { ...LocalDate, description: 'The Turkey-local day of the daily quotas.' },
    quotas: Type.Array(QuotaUse, { description: 'Every quota with its use.' }),
    samples_refused: Type.Integer({
      description: 'Samples of field protocols that were not stored today, because a quota was used up.',
    }),
    storage_measured_at: Nullable({
      ...Instant,
      description: 'Time of the last estimate of the storage; null: not measured yet.',
    }),
  },
  { title: 'QuotaReport' },
)

const limit = (description: string) =>
  Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: `${description} Null: unlimited.`,
      }),
    ),
  )

export const SetQuotas = Type.Object(
  {
    devices: Type.Optional(
      Nullable(
        Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Devices. Null: unlimited.' }),
      ),
    ),
    samples_per_day: limit('Samples that are stored in a day.'),
    storage_bytes: limit('Estimated bytes in the database and of files.'),
    exports_per_day: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 0,
          maximum: 2_147_483_647,
          description: 'Exports in a day. Null: unlimited.',
        }),
      ),
    ),
  },
  { title: 'SetQuotas' },
)
export type SetQuotas = Static<typeof SetQuotas>
