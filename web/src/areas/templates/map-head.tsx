import type { FieldValues, JsonSchema } from '../../forms/schema.ts'
import { SchemaFields } from '../../forms/schema-fields.tsx'
import { useText } from '../../kernel/text.tsx'
import { valueText } from '../../records/value-texts.ts'
import { registerText } from './register-texts.ts'
import { TEMPLATE_PAGE_TEXTS } from './texts.ts'

interface MapHeadProps {
  readonly schema: JsonSchema
  readonly values: FieldValues
  readonly faults: Readonly<Record<string, string>>
  readonly isReadOnly: boolean
  readonly onChange: (values: FieldValues) => void
}

/** What a map is for, and what applies to all of its registers. */
export function MapHead({ schema, values, faults, isReadOnly, onChange }: MapHeadProps) {
  const t = useText()
  return (
    <details className="card">
      <summary>{t(TEMPLATE_PAGE_TEXTS.TEMPLATES_HEAD())}</summary>
      <fieldset className="form attributes" disabled={isReadOnly}>
        <SchemaFields
          schema={schema}
          values={values}
          onChange={onChange}
          labelOf={(name) => registerText(`head_${name}`, t)}
          choiceText={(value) => valueText(value, t)}
          errors={faults}
          hasParts
        />
      </fieldset>
    </details>
  )
}
