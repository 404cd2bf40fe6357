import type { FieldValues, JsonSchema } from '../../forms/schema.ts'
import { SchemaFields } from '../../forms/schema-fields.tsx'
import { useText } from '../../kernel/text.tsx'
import { Button, Tag } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import type { Decoded } from './map-editor.tsx'
import { registerText } from './register-texts.ts'
import { TEMPLATE_PAGE_TEXTS } from './texts.ts'

interface FramesProps {
  readonly schema: JsonSchema
  readonly frames: readonly FieldValues[]
  readonly faults: Readonly<Record<string, string>>
  readonly decoded: Decoded | undefined
  readonly onChange: (frames: readonly FieldValues[]) => void
}

/** The recorded frames of a map, each with the values of its last run. */
export function Frames({ schema, frames, faults, decoded, onChange }: FramesProps) {
  const t = useText()
  const change = (index: number, frame: FieldValues) =>
    onChange(frames.map((one, at) => (at === index ? frame : one)))
  return (
    <section className="stack">
      <h2>{t(TEMPLATE_PAGE_TEXTS.TEMPLATES_FRAMES())}</h2>
      <p className="muted">{t(TEMPLATE_PAGE_TEXTS.TEMPLATES_FRAMES_NOTE())}</p>
      {frames.map((frame, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a frame has no identity besides its position
        <section className="card" key={index}>
          <h3>
            {t(TEMPLATE_PAGE_TEXTS.TEMPLATES_FRAME({ number: String(index + 1) }))} {frame['name']}
          </h3>
          <details open={decoded === undefined || undefined}>
            <summary>{frame['registers'] || frame['topic'] || '…'}</summary>
            <div className="form">
              <SchemaFields
                schema={schema}
                values={frame}
                onChange={(next) => change(index, next)}
                labelOf={(name) => registerText(`frame_${name}`, t)}
                errors={errorsOf(schema, faults, index)}
              />
            </div>
          </details>
          {decoded?.frames[index] && (
            <FrameValues
              number={index + 1}
              values={decoded.frames[index].values}
              onExpect={(expect) => change(index, { ...frame, expect })}
            />
          )}
          <div>
            <Button
              aria-label={t(TEMPLATE_PAGE_TEXTS.TEMPLATES_REMOVE_FRAME({ number: String(index + 1) }))}
              onPress={() => onChange(frames.filter((_one, at) => at !== index))}
            >
              ×
            </Button>
          </div>
        </section>
      ))}
      <div className="row">
        <Button onPress={() => onChange([...frames, {}])}>
          {t(TEMPLATE_PAGE_TEXTS.TEMPLATES_ADD_FRAME())}
        </Button>
      </div>
    </section>
  )
}

const errorsOf = ({ properties = {} }: JsonSchema, faults: FramesProps['faults'], index: number) =>
  Object.fromEntries(
    Object.keys(properties).flatMap((name) => {
      const fault = faults[`tests.${index}.${name}`]
      return fault === undefined ? [] : [[name, fault]]
    }),
  )

type Value = Decoded['frames'][number]['values'][number]

interface FrameValuesProps {
  readonly number: number
  readonly values: readonly Value[]
  readonly onExpect: (expect: string) => void
}

function FrameValues({ number, values, onExpect }: FrameValuesProps) {
  const t = useText()
  const text = ({ unit }: Value, value: Value['actual']) =>
    value === null ? t(TEMPLATE_PAGE_TEXTS.TEMPLATES_NO_VALUE()) : `${value} ${unit ?? ''}`.trim()
  const expected = Object.fromEntries(values.map(({ key, actual }) => [key, actual]))
  return (
    <>
      <DataTable
        report={null}
        caption={t(TEMPLATE_PAGE_TEXTS.TEMPLATES_VALUES({ number: String(number) }))}
        rows={values}
        keyOf={({ key }) => key}
        empty={t(TEMPLATE_PAGE_TEXTS.TEMPLATES_NO_VALUES())}
        columns={[
          { id: 'key', title: registerText('key', t), cell: ({ key }) => key },
          { id: 'metric', title: registerText('metric', t), cell: ({ metric }) => metric ?? '—' },
          {
            id: 'actual',
            title: t(TEMPLATE_PAGE_TEXTS.TEMPLATES_DECODED()),
            isNumber: true,
            cell: (value) =>
              value.problem === null ? text(value, value.actual) : `${text(value, null)} (${value.problem})`,
          },
          {
            id: 'expected',
            title: t(TEMPLATE_PAGE_TEXTS.TEMPLATES_EXPECTED()),
            isNumber: true,
            cell: (value) => (value.is_match === null ? '—' : text(value, value.expected)),
          },
          {
            id: 'result',
            title: t(TEMPLATE_PAGE_TEXTS.TEMPLATES_RESULT()),
            cell: ({ is_match }) => <Match isMatch={is_match} />,
          },
        ]}
      />
      {values.length > 0 && (
        <div>
          <Button onPress={() => onExpect(JSON.stringify(expected, null, 2))}>
            {t(TEMPLATE_PAGE_TEXTS.TEMPLATES_EXPECT({ number: String(number) }))}
          </Button>
        </div>
      )}
    </>
  )
}

function Match({ isMatch }: { readonly isMatch: boolean | null }) {
  const t = useText()
  if (isMatch === null) return <Tag>{t(TEMPLATE_PAGE_TEXTS.TEMPLATES_NOTHING_EXPECTED())}</Tag>
  return isMatch ? (
    <Tag tone="success">{t(TEMPLATE_PAGE_TEXTS.TEMPLATES_MATCH())}</Tag>
  ) : (
    <Tag tone="danger">{t(TEMPLATE_PAGE_TEXTS.TEMPLATES_MISMATCH())}</Tag>
  )
}
