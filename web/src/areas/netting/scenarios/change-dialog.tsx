import { useState } from 'react'
import type { ControlProps } from '../../../forms/control.ts'
import { EntryForm } from '../../../forms/entry-form.tsx'
import { choicesOf, type FieldValues, type JsonSchema } from '../../../forms/schema.ts'
import { SchemaFields } from '../../../forms/schema-fields.tsx'
import { leaveFrom } from '../../../forms/unsaved.ts'
import { useText } from '../../../kernel/text.tsx'
import { FACILITY, GROUP } from '../../../records/netting-resources.ts'
import { RecordPicker } from '../../../records/record-picker.tsx'
import type { AnyRecord } from '../../../records/resource.ts'
import { Button, Select } from '../../../ui/controls.tsx'
import { MonthField } from '../../../ui/date-field.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { UI_TEXTS } from '../../../ui/texts.ts'
import {
  type Change,
  changeOf,
  changeSchema,
  isProfile,
  missingFields,
  newId,
  textsOfChange,
} from './change-form.ts'
import { changeFieldText, changeWord } from './change-texts.ts'
import { ProfileField } from './profile-field.tsx'
import { SCENARIO_PAGE_TEXTS as TEXTS } from './texts.ts'

const FIRST_TYPE = 'scale_plant'

interface ChangeDialogProps {
  readonly title: string
  /** The schema of a change, of all types. */
  readonly schema: JsonSchema
  /** The change that is edited; undefined for a new one. */
  readonly change: Change | undefined
  /** Facilities that earlier changes add. */
  readonly added: readonly AnyRecord[]
  readonly onApply: (change: Change) => void
  readonly onClose: () => void
}

/** A change of one of the types of the service, with a form from its schema. */
export function ChangeDialog({ title, schema, change, added, onApply, onClose }: ChangeDialogProps) {
  const t = useText()
  const [type, setType] = useState(change?.type ?? FIRST_TYPE)
  const [values, setValues] = useState<FieldValues>(change ? textsOfChange(schema, change) : {})
  const [missing, setMissing] = useState<readonly string[]>([])
  const own = changeSchema(schema, type)
  const submit = async () => {
    const absent = missingFields(schema, type, values)
    setMissing(absent)
    if (absent.length > 0) return false
    const next = changeOf(schema, type, values)
    const id = change?.['facility_id'] ?? newId()
    onApply(type === 'add_facility' ? { ...next, facility_id: id } : next)
    return true
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <EntryForm className="form" onSubmit={submit}>
        <Select
          label={changeFieldText('type', t)}
          value={type}
          onChange={setType}
          options={choicesOf(schema.properties?.['type'] ?? {}).map((one) => ({
            value: one,
            text: changeWord(one, t),
          }))}
        />
        <SchemaFields
          key={type}
          schema={own}
          values={values}
          onChange={setValues}
          labelOf={(name) => changeFieldText(name, t)}
          choiceText={(one, field) => changeWord(one, t, field)}
          controls={controlsOf(own, added)}
          errors={Object.fromEntries(missing.map((name) => [name, t(TEXTS.SCENARIOS_REQUIRED())]))}
        />
        <div className="row">
          <Button type="submit" variant="primary">
            {t(TEXTS.SCENARIOS_APPLY())}
          </Button>
          <Button onPress={(event) => leaveFrom(event, onClose)}>{t(UI_TEXTS.UI_CANCEL())}</Button>
        </div>
      </EntryForm>
    </Dialog>
  )
}

/** The controls of fields that the schema does not describe: references, months and profiles. */
function controlsOf({ properties = {} }: JsonSchema, added: readonly AnyRecord[]) {
  const facility = (props: ControlProps) => (
    <RecordPicker {...props} reference={{ ...FACILITY, others: added }} />
  )
  const group = (props: ControlProps) => <RecordPicker {...props} reference={GROUP} />
  const references = {
    facility_id: facility,
    source_facility_id: facility,
    target_facility_id: facility,
    group_id: group,
    from_group_id: group,
  }
  const profiles = Object.entries(properties)
    .filter(([name]) => isProfile(name))
    .map(([name, schema]) => [
      name,
      (props: ControlProps) => <ProfileField {...props} schema={schema} controls={references} />,
    ])
  return {
    ...references,
    month: (props: ControlProps) => <MonthField {...props} value={props.value.slice(0, 7)} />,
    ...(Object.fromEntries(profiles) as Record<string, typeof facility>),
  }
}
