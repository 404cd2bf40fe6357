import { type Static, Type } from 'typebox'
import { described, Id, Nullable, OneOf, Word } from '../../../../../platform/http/fields.ts'
import { ListQuery } from '../../../../../platform/http/page.ts'
import { INVERTER_APPLY_ITEMS_MAX } from '../../../limits.ts'
import { INVERTER_TYPES } from './inverter-type-rules.ts'

const TYPE_TEXT = 'grid_inverter feeds PV to the grid; ess_inverter charges and discharges storage too.'

export const InverterSuggestion = Type.Object({
  device_id: Id,
  device_name: Type.String(),
  vendor: Type.String({ description: "From the device's extra_metadata, else from its template." }),
  model: Type.String({ description: "From the device's extra_metadata, else from its template." }),
  inverter_type: Nullable(described(Word(INVERTER_TYPES), 'What the device has now.')),
  suggested_inverter_type: described(Word(INVERTER_TYPES), TYPE_TEXT),
  source: Type.String({ description: 'What the suggestion rests on.' }),
})

export const SuggestionQuery = Type.Object(ListQuery())

const InverterItem = Type.Object({
  device_id: Id,
  inverter_type: described(OneOf(INVERTER_TYPES), TYPE_TEXT),
})
export const ApplyInverterTypes = Type.Object({
  items: Type.Array(InverterItem, {
    minItems: 1,
    maxItems: INVERTER_APPLY_ITEMS_MAX,
    description: 'All are applied or none; each device once.',
  }),
})
export const AppliedInverterTypes = Type.Object({
  updated: Type.Integer({ description: 'Count of the items.' }),
  items: Type.Array(
    Type.Object({ device_id: Id, inverter_type: described(Word(INVERTER_TYPES), TYPE_TEXT) }),
    {
      description: 'What was applied.',
    },
  ),
})

export type SuggestionQuery = Static<typeof SuggestionQuery>
export type ApplyInverterTypes = Static<typeof ApplyInverterTypes>
