import { type Static, Type } from 'typebox'
import { Id, Instant, InstantIn, Nullable, Text } from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page.ts'

export const ChargerEvent = Type.Object(
  {
    id: Id,
    charger_id: Id,
    connector_id: Nullable(
      Type.Integer({ description: 'Connector; null: the whole station, or not reported.' }),
    ),
    event_type: Type.String({
      description: 'Type of the event, for example status, security, firmware or diagnostics.',
    }),
    occurred_at: {
      ...Instant,
      description: 'Time of the event, by the clock of the station if it reports a time.',
    },
    details: Type.Unsafe<unknown>({ description: 'Reported details; the keys depend on the type.' }),
  },
  { title: 'ChargerEvent' },
)

export const EventQuery = Type.Object({
  ...PageQuery(['occurred_at', 'event_type']),
  event_type: Type.Optional({ ...Text(100), description: 'Only records with this value.' }),
  connector_id: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 255, description: 'Only events of this connector.' }),
  ),
  from: Type.Optional({
    ...InstantIn,
    description: 'Only events at or after this time. Turkey-local without an offset.',
  }),
  to: Type.Optional({ ...InstantIn, description: 'Only events before this time.' }),
})
export type EventQuery = Static<typeof EventQuery>
