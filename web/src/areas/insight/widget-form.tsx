import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { useClient } from '../../api/session.tsx'
import { useText } from '../../kernel/text.tsx'
import { Button, Select, TextField } from '../../ui/controls.tsx'
import { Form } from '../../ui/form.tsx'
import { Checkbox } from '../../ui/inputs.tsx'
import { Loaded } from '../../ui/page.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { type Config, ConfigFields, type ConfigSchema } from './config-fields.tsx'
import { layoutOf, packed, sizeOf } from './layout.ts'
import { INSIGHT_TEXTS } from './texts.ts'
import type { TypeInfo, Widget, WidgetType } from './types.ts'
import { typeText } from './widget-texts.ts'

interface WidgetFormProps {
  readonly subregionId: string
  /** Those of the dashboard, after which a new one is put. */
  readonly widgets: readonly Widget[]
  /** Undefined for a new one. */
  readonly widget: Widget | undefined
  readonly onClose: () => void
}

/** A new widget, or the title and the config of an existing one. */
export function WidgetForm(props: WidgetFormProps) {
  const t = useText()
  const { widget, onClose } = props
  const types = useGet('/api/widgets/types', undefined, { staleTime: Number.POSITIVE_INFINITY })
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="card">
      <div className="row">
        <h2 ref={heading} tabIndex={-1}>
          {t(widget ? INSIGHT_TEXTS.INSIGHT_EDIT_ONE({ title: widget.title }) : INSIGHT_TEXTS.INSIGHT_ADD())}
        </h2>
        <Button variant="quiet" onPress={onClose}>
          {t(UI_TEXTS.UI_CANCEL())}
        </Button>
      </div>
      <Loaded query={types}>{(list) => <Fields {...props} types={list} />}</Loaded>
    </section>
  )
}

function Fields({
  subregionId,
  widgets,
  widget,
  onClose,
  types,
}: WidgetFormProps & { readonly types: readonly TypeInfo[] }) {
  const t = useText()
  const { api } = useClient()
  const queries = useQueryClient()
  const [type, setType] = useState<WidgetType>(widget?.widget_type ?? 'consumption_chart')
  const [title, setTitle] = useState(widget?.title ?? '')
  const [isActive, setActive] = useState(widget?.is_active ?? true)
  const [config, setConfig] = useState<Config>(widget?.config ?? {})
  const schema = types.find(({ widget_type }) => widget_type === type)?.config_schema
  const save = async () => {
    const name = title.trim() === '' ? typeText(type, t) : title
    if (widget)
      await api.put('/api/widgets/{id}', {
        path: { id: widget.id },
        body: { title: name, config, is_active: isActive },
      })
    else
      await api.post('/api/widgets', {
        body: {
          ...{ subregion_id: subregionId, widget_type: type, title: name, config },
          position: nextPlace(widgets, type),
        },
      })
    await queries.invalidateQueries({ queryKey: ['/api/subregions/{id}/widgets'] })
    await queries.invalidateQueries({ queryKey: ['/api/subregions/{id}/widgets/data'] })
    onClose()
  }
  return (
    <Form submitText={t(widget ? UI_TEXTS.UI_SAVE() : INSIGHT_TEXTS.INSIGHT_CREATE())} onSubmit={save}>
      {!widget && (
        <Select
          label={t(INSIGHT_TEXTS.INSIGHT_TYPE())}
          value={type}
          onChange={(next) => {
            setType(next)
            setConfig({})
          }}
          options={types.map(({ widget_type }) => ({
            value: widget_type,
            text: typeText(widget_type, t),
          }))}
        />
      )}
      <TextField label={t(INSIGHT_TEXTS.INSIGHT_TITLE())} value={title} onChange={setTitle} />
      {schema && <ConfigFields schema={schema as ConfigSchema} config={config} onChange={setConfig} />}
      {widget && (
        <Checkbox label={t(INSIGHT_TEXTS.INSIGHT_ACTIVE())} isChecked={isActive} onChange={setActive} />
      )}
    </Form>
  )
}

/** The cell after the last widget. */
function nextPlace(widgets: readonly Widget[], type: WidgetType) {
  const sizes = layoutOf(widgets).map(({ id, cell: { w, h } }) => ({ id, w, h }))
  return packed([...sizes, { id: 'new', ...sizeOf(type) }]).at(-1)?.cell ?? null
}
