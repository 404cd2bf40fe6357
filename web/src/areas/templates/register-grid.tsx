import { memo, useCallback, useEffect, useRef, useState } from 'react'
import { choicesOf, type FieldValues, type JsonSchema, kindOf } from '../../forms/schema.ts'
import { SchemaFields } from '../../forms/schema-fields.tsx'
import { useText } from '../../kernel/text.tsx'
import { Button } from '../../ui/controls.tsx'
import { ScrollFrame } from '../../ui/scroll-frame.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { registerText } from './register-texts.ts'
import { TEMPLATE_PAGE_TEXTS } from './texts.ts'

/** The attributes that have a column; the others are in the form of one register. */
const COLUMNS = [
  'key',
  'metric',
  'function',
  'address',
  'type',
  'word_order',
  'scale',
  'unit',
  'kind',
  'poll_group',
] as const

const NEW_REGISTER: FieldValues = { type: 'u16', kind: 'gauge', function: '3' }

type Faults = Readonly<Record<string, string>>

interface RegisterGridProps {
  readonly schema: JsonSchema
  readonly rows: readonly FieldValues[]
  readonly faults: Faults
  readonly isReadOnly: boolean
  readonly onChange: (rows: readonly FieldValues[]) => void
}

/** The registers of a map as a table of cells, and all attributes of the one that is opened. */
export function RegisterGrid({ schema, rows, faults, isReadOnly, onChange }: RegisterGridProps) {
  const t = useText()
  const [opened, setOpened] = useState<number>()
  const current = useRef({ rows, onChange })
  useEffect(() => {
    current.current = { rows, onChange }
  })
  // Rows are compared by their properties, so that a key press draws one of up to 400 rows.
  const change = useCallback((index: number, row: FieldValues) => {
    const { rows: before, onChange: send } = current.current
    send(before.map((one, at) => (at === index ? row : one)))
  }, [])
  const remove = useCallback((index: number) => {
    const { rows: before, onChange: send } = current.current
    setOpened(undefined)
    send(before.filter((_one, at) => at !== index))
  }, [])
  const handlers = { onChange: change, onRemove: remove, onOpen: setOpened }
  const shown = opened === undefined ? undefined : rows[opened]
  return (
    <>
      <RegisterTable schema={schema} rows={rows} faults={faults} isReadOnly={isReadOnly} {...handlers} />
      {!isReadOnly && (
        <div className="row">
          <Button
            onPress={() => {
              onChange([...rows, NEW_REGISTER])
              setOpened(rows.length)
            }}
          >
            {t(TEMPLATE_PAGE_TEXTS.TEMPLATES_ADD_REGISTER())}
          </Button>
        </div>
      )}
      {opened !== undefined && shown && (
        <section className="card">
          <h2>{t(TEMPLATE_PAGE_TEXTS.TEMPLATES_DETAILS_OF({ key: shown['key'] ?? String(opened + 1) }))}</h2>
          <fieldset className="form attributes" disabled={isReadOnly}>
            <SchemaFields
              schema={schema}
              values={shown}
              onChange={(row) => change(opened, row)}
              labelOf={(name) => registerText(name, t)}
              errors={faultsOfRow(faults, opened)}
            />
          </fieldset>
          <div>
            <Button onPress={() => setOpened(undefined)}>{t(UI_TEXTS.UI_CLOSE())}</Button>
          </div>
        </section>
      )}
    </>
  )
}

const faultsOfRow = (faults: Faults, index: number): Faults => {
  const prefix = `registers.${index}.`
  return Object.fromEntries(
    Object.entries(faults).flatMap(([cell, text]) =>
      cell.startsWith(prefix) ? [[cell.slice(prefix.length), text]] : [],
    ),
  )
}

interface RegisterTableProps extends Omit<RegisterGridProps, 'onChange'>, RowHandlers {}

function RegisterTable({ rows, ...props }: RegisterTableProps) {
  const t = useText()
  return (
    <ScrollFrame className="register-grid" label={t(TEMPLATE_PAGE_TEXTS.TEMPLATES_REGISTERS())}>
      <table className="table">
        <caption>{t(TEMPLATE_PAGE_TEXTS.TEMPLATES_REGISTERS())}</caption>
        <thead>
          <tr>
            <th scope="col">{t(TEMPLATE_PAGE_TEXTS.TEMPLATES_ROW())}</th>
            {COLUMNS.map((name) => (
              <th key={name} scope="col">
                {registerText(name, t)}
              </th>
            ))}
            <th scope="col">{t(UI_TEXTS.UI_ACTIONS())}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a register has no identity besides its position
            <RegisterRow key={index} index={index} row={row} {...props} />
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="muted">{t(TEMPLATE_PAGE_TEXTS.TEMPLATES_NO_REGISTERS())}</p>}
    </ScrollFrame>
  )
}

interface RowHandlers {
  readonly onChange: (index: number, row: FieldValues) => void
  readonly onRemove: (index: number) => void
  readonly onOpen: (index: number) => void
}

interface RegisterRowProps extends RowHandlers, Pick<RegisterGridProps, 'schema' | 'faults' | 'isReadOnly'> {
  readonly index: number
  readonly row: FieldValues
}

const RegisterRow = memo(function RegisterRow(props: RegisterRowProps) {
  const { schema, index, row, faults, isReadOnly, onChange, onRemove, onOpen } = props
  const t = useText()
  const key = row['key'] ?? String(index + 1)
  const hidden = Object.entries(faultsOfRow(faults, index)).filter(
    ([name]) => !(COLUMNS as readonly string[]).includes(name),
  )
  return (
    <tr>
      <th scope="row">{index + 1}</th>
      {COLUMNS.map((name) => (
        <td key={name}>
          {isReadOnly ? (
            (row[name] ?? '')
          ) : (
            <Cell
              label={t(
                TEMPLATE_PAGE_TEXTS.TEMPLATES_CELL({ field: registerText(name, t), row: String(index + 1) }),
              )}
              schema={schema.properties?.[name] ?? {}}
              value={row[name] ?? ''}
              fault={faults[`registers.${index}.${name}`]}
              onChange={(value) => onChange(index, { ...row, [name]: value })}
            />
          )}
        </td>
      ))}
      <td>
        <span className="row">
          <Button
            aria-label={t(TEMPLATE_PAGE_TEXTS.TEMPLATES_DETAILS_OF({ key }))}
            onPress={() => onOpen(index)}
          >
            {t(TEMPLATE_PAGE_TEXTS.TEMPLATES_ALL())}
          </Button>
          {!isReadOnly && (
            <Button
              aria-label={t(TEMPLATE_PAGE_TEXTS.TEMPLATES_REMOVE_REGISTER({ key }))}
              onPress={() => onRemove(index)}
            >
              ×
            </Button>
          )}
        </span>
        {hidden.map(([name, text]) => (
          <span key={name} className="cell-fault">
            {registerText(name, t)}: {text}
          </span>
        ))}
      </td>
    </tr>
  )
})

interface CellProps {
  readonly label: string
  readonly schema: JsonSchema
  readonly value: string
  readonly fault: string | undefined
  readonly onChange: (value: string) => void
}

function Cell({ label, schema, value, fault, onChange }: CellProps) {
  const common = {
    className: 'input',
    'aria-label': fault === undefined ? label : `${label}: ${fault}`,
    'aria-invalid': fault !== undefined,
    'data-invalid': fault !== undefined || undefined,
    value,
  }
  return (
    <>
      {kindOf(schema) === 'choice' ? (
        <select {...common} onChange={(event) => onChange(event.target.value)}>
          <option value="" />
          {choicesOf(schema).map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      ) : (
        <input {...common} onChange={(event) => onChange(event.target.value)} />
      )}
      {fault !== undefined && <span className="cell-fault">{fault}</span>}
    </>
  )
}
