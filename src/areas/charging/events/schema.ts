import { type Static, Type } from 'typebox'
import { Id, Instant, InstantIn, Nullable, Text } from '../../../platform/http/fields.ts'
import { PageQuery } from '../../../platform/http/page.ts'

export const ChargerEvent = Type.Object({
  id: Id,
  charger_id: Id,
  connector_id: Nullable(Type.Integer({ description: 'Null: the station as a whole, or it did not say.' })),
  event_type: Type.String({ description: 'For example status, security, firmware, diagnostics.' }),
  occurred_at: { ...Instant, description: "By the station's clock where it tells a time." },
  details: Type.Unsafe<unknown>({ description: 'What was told; the keys depend on the type.' }),
})

export const EventQuery = Type.Object({
  ...PageQuery(['occurred_at', 'event_type']),
  event_type: Type.Optional({ ...Text(100), description: 'Only these.' }),
  connector_id: Type.Optional(Type.Integer({ minimum: 0, maximum: 255, description: 'Of this connector.' })),
  from: Type.Optional({ ...InstantIn, description: 'Then or later. Without an offset Turkey-local.' }),
  to: Type.Optional({ ...InstantIn, description: 'Before then.' }),
})
export type EventQuery = Static<typeof EventQuery>
