import { type Static, Type } from 'typebox'
import { described, Id, Nullable, OneOf, Word } from '../../../../../platform/http/fields.ts'
import { ListQuery, Search } from '../../../../../platform/http/page.ts'
import { INVERTER_APPLY_ITEMS_MAX } from '../../../limits.ts'
import { INVERTER_TYPES } from './inverter-type-rules.ts'

const TYPE_TEXT =
  'grid_inverter feeds PV energy into the grid; ess_inverter also charges and discharges storage.'

export const InverterSuggestion = Type.Object(
  {
    device_id: Id,
    device_name: Type.String(),
    vendor: Type.String({ description: 'Value of extra_metadata of the device, otherwise of its template.' }),
    model: Type.String({ description: 'Value of extra_metadata of the device, otherwise of its template.' }),
    inverter_type: Nullable(described(Word(INVERTER_TYPES), 'Current inverter_type of the device.')),
    suggested_inverter_type: described(Word(INVERTER_TYPES), TYPE_TEXT),
    source: Type.String({ description: 'Basis of the suggestion.' }),
  },
  { title: 'InverterSuggestion' },
)

export const SuggestionQuery = Type.Object({
  ...ListQuery(),
  search: Search('name of the device, vendor and model'),
})

const InverterItem = Type.Object({
  device_id: Id,
  inverter_type: described(OneOf(INVERTER_TYPES), TYPE_TEXT),
})
export const ApplyInverterTypes = Type.Object(
  {
    items: Type.Array(InverterItem, {
      minItems: 1,
      maxItems: INVERTER_APPLY_ITEMS_MAX,
      description: 'Changes, applied together or not at all; each device occurs once.',
    }),
  },
  { title: 'ApplyInverterTypes' },
)
export const AppliedInverterTypes = Type.Object(
  {
    updated: Type.Integer({ description: 'Number of updated devices.' }),
    items: Type.Array(
      Type.Object({ device_id: Id, inverter_type: described(Word(INVERTER_TYPES), TYPE_TEXT) }),
      {
        description: 'Applied changes.',
      },
    ),
  },
  { title: 'AppliedInverterTypes' },
)

export type SuggestionQuery = Static<typeof SuggestionQuery>
export type ApplyInverterTypes = Static<typeof ApplyInverterTypes>
