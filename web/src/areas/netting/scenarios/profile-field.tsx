import { type ReactNode, useState } from 'react'
import type { ControlProps } from '../../../forms/control.ts'
import { type FieldValues, type JsonSchema, variantOf } from '../../../forms/schema.ts'
import { SchemaFields } from '../../../forms/schema-fields.tsx'
import { useText } from '../../../kernel/text.tsx'
import { Notice } from '../../../ui/controls.tsx'
import { FileField, TextArea } from '../../../ui/inputs.tsx'
import { profileTexts, profileValues } from './change-form.ts'
import { changeFieldText, changeWord } from './change-texts.ts'
import { SCENARIO_PAGE_TEXTS as TEXTS } from './texts.ts'

interface ProfileFieldProps extends ControlProps {
  readonly schema: JsonSchema
  readonly controls: Readonly<Record<string, (props: ControlProps) => ReactNode>>
}

/** A profile: its kind, and the fields of that kind. The value is the JSON text of the texts of its controls. */
export function ProfileField({ label, value, onChange, schema, controls }: ProfileFieldProps) {
  const t = useText()
  const values = profileTexts(value)
  const change = (next: FieldValues) => onChange((next['kind'] ?? '') === '' ? '' : JSON.stringify(next))
  return (
    <fieldset className="choices profile">
      <legend>{label}</legend>
      <div className="form">
        <SchemaFields
          schema={variantOf(schema, values['kind'] ?? '')}
          values={values}
          onChange={change}
          labelOf={(name) => changeFieldText(name, t)}
          choiceText={(one, field) => changeWord(one, t, field)}
          controls={{
            ...controls,
            values_kwh: (control) => <ValuesField {...control} />,
          }}
        />
      </div>
    </fieldset>
  )
}

/** The values of each hour: typed, or from a file. */
function ValuesField(control: ControlProps) {
  const t = useText()
  const [isEmpty, setEmpty] = useState(false)
  const count = control.value.split(',').filter((one) => one.trim() !== '').length
  const read = async (file: File | undefined) => {
    if (!file) return
    const values = profileValues(await file.text())
    setEmpty(values.length === 0)
    if (values.length > 0) control.onChange(values.join(', '))
  }
  return (
    <div className="stack">
      <TextArea {...control} description={t(TEXTS.SCENARIOS_PROFILE_COUNT({ count }))} />
      <FileField
        label={t(TEXTS.SCENARIOS_PROFILE_FILE())}
        accept=".csv,.txt,text/csv,text/plain"
        onFile={(file) => void read(file)}
      />
      {isEmpty && <Notice tone="danger">{t(TEXTS.SCENARIOS_PROFILE_NONE())}</Notice>}
    </div>
  )
}
