/**
 * The widgets of a dashboard while they are arranged: dragged by pointer or keyboard, made larger and smaller, changed
 * and deleted. Each change is stored at once; the positions of all widgets are one request.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DropIndicator, GridList, GridListItem, type Key, useDragAndDrop } from 'react-aria-components'
import { useClient } from '../../api/session.tsx'
import { useText } from '../../kernel/text.tsx'
import { useAction } from '../../ui/action.tsx'
import { Button, Tag } from '../../ui/controls.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { cellStyle } from './cell-style.ts'
import { layoutOf, moved, type Placed, packed, type Resizing, resized } from './layout.ts'
import { INSIGHT_TEXTS } from './texts.ts'
import type { Widget, WidgetData } from './types.ts'
import { typeText } from './widget-texts.ts'
import { WidgetContent } from './widget-view.tsx'

const WIDGETS = '/api/subregions/{id}/widgets'
const DATA = '/api/subregions/{id}/widgets/data'

interface ArrangementProps {
  readonly subregionId: string
  readonly widgets: readonly Widget[]
  readonly contents: readonly WidgetData[]
  readonly onEdit: (id: string) => void
}

export function Arrangement({ subregionId, widgets, contents, onEdit }: ArrangementProps) {
  const t = useText()
  const { cells, arrange, notice } = useArrangement(subregionId, widgets)
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys: Set<Key>) => [...keys].map((key) => ({ 'text/plain': String(key) })),
    onReorder: ({ keys, target }) => {
      const ids = cells.map(({ id }) => id)
      const dragged = new Set([...keys].map(String))
      const order = moved(ids, dragged, {
        key: String(target.key),
        isAfter: target.dropPosition === 'after',
      })
      if (order.every((id, index) => id === ids[index])) return
      const byId = new Map(cells.map((placed) => [placed.id, placed]))
      void arrange(order.flatMap((id) => byId.get(id) ?? []))
    },
    // The line is at the edge of the cell of its widget, because the grid would place it in the first free cell.
    renderDropIndicator: (target) => {
      const placed = target.type === 'item' && cells.find(({ id }) => id === target.key)
      return (
        <DropIndicator
          target={target}
          className={`drop-line ${target.type === 'item' ? target.dropPosition : ''}`}
          {...(placed && { style: cellStyle(placed.cell) })}
        />
      )
    },
  })
  const byId = new Map(widgets.map((widget) => [widget.id, widget]))
  const dataById = new Map(contents.map((content) => [content.widget_id, content]))
  return (
    <>
      {notice}
      <p className="muted">{t(INSIGHT_TEXTS.INSIGHT_ARRANGE_HINT())}</p>
      <GridList
        className="dashboard"
        aria-label={t(INSIGHT_TEXTS.INSIGHT_WIDGETS())}
        layout="grid"
        keyboardNavigationBehavior="tab"
        dragAndDropHooks={dragAndDropHooks}
        renderEmptyState={() => t(INSIGHT_TEXTS.INSIGHT_NO_WIDGETS())}
      >
        {cells.map(({ id, cell }) => {
          const widget = byId.get(id)
          return (
            widget && (
              <GridListItem
                key={id}
                id={id}
                className="card widget"
                style={cellStyle(cell)}
                textValue={widget.title}
              >
                <WidgetTools
                  widget={widget}
                  size={cell}
                  onResize={(size) =>
                    void arrange(
                      cells.map((one) => (one.id === id ? { id, cell: { ...one.cell, ...size } } : one)),
                    )
                  }
                  onEdit={() => onEdit(id)}
                />
                <div inert className="widget-preview">
                  {widget.is_active && (
                    <WidgetContent title={widget.title} type={widget.widget_type} data={dataById.get(id)} />
                  )}
                </div>
              </GridListItem>
            )
          )
        })}
      </GridList>
    </>
  )
}

/** The cells as they are shown: those just chosen until they are stored and read again. */
function useArrangement(subregionId: string, widgets: readonly Widget[]) {
  const { api } = useClient()
  const [chosen, setChosen] = useState<readonly Placed[]>()
  const { run, notice } = useAction([WIDGETS])
  const isCurrent =
    chosen !== undefined &&
    chosen.length === widgets.length &&
    widgets.every(({ id }) => chosen.some((placed) => placed.id === id))
  const cells = isCurrent ? chosen : layoutOf(widgets)
  const arrange = async (ordered: readonly Placed[]) => {
    const next = packed(ordered.map(({ id, cell: { w, h } }) => ({ id, w, h })))
    setChosen(next)
    await run(async () => {
      await api.put('/api/subregions/{id}/widgets/positions', {
        path: { id: subregionId },
        body: { positions: next.map(({ id, cell }) => ({ widget_id: id, ...cell })) },
      })
      return undefined
    })
    setChosen((latest) => (latest === next ? undefined : latest))
  }
  return { cells, arrange, notice }
}

const RESIZINGS = [
  { direction: 'narrower', sign: '↤', text: INSIGHT_TEXTS.INSIGHT_NARROWER },
  { direction: 'wider', sign: '↦', text: INSIGHT_TEXTS.INSIGHT_WIDER },
  { direction: 'lower', sign: '↥', text: INSIGHT_TEXTS.INSIGHT_LOWER },
  { direction: 'taller', sign: '↧', text: INSIGHT_TEXTS.INSIGHT_TALLER },
] as const satisfies readonly {
  readonly direction: Resizing
  readonly sign: string
  readonly text: unknown
}[]

interface WidgetToolsProps {
  readonly widget: Widget
  readonly size: { readonly w: number; readonly h: number }
  readonly onResize: (size: { readonly w: number; readonly h: number }) => void
  readonly onEdit: () => void
}

function WidgetTools({ widget, size, onResize, onEdit }: WidgetToolsProps) {
  const t = useText()
  const { id, title, widget_type, is_active } = widget
  return (
    <>
      <div className="row widget-head">
        <Button slot="drag" variant="quiet" aria-label={t(INSIGHT_TEXTS.INSIGHT_MOVE({ title }))}>
          <span aria-hidden="true">⠿</span>
        </Button>
        <strong>{title}</strong>
        <span className="muted">{typeText(widget_type, t)}</span>
        {!is_active && <Tag>{t(INSIGHT_TEXTS.INSIGHT_INACTIVE())}</Tag>}
      </div>
      <div className="row widget-tools">
        {RESIZINGS.map(({ direction, sign, text }) => {
          const next = resized(size, direction)
          return (
            <Button
              key={direction}
              variant="quiet"
              aria-label={t(text({ title }))}
              isDisabled={next === undefined}
              onPress={() => next && onResize(next)}
            >
              <span aria-hidden="true">{sign}</span>
            </Button>
          )
        })}
        <Button aria-label={t(INSIGHT_TEXTS.INSIGHT_EDIT_ONE({ title }))} onPress={onEdit}>
          {t(INSIGHT_TEXTS.INSIGHT_EDIT())}
        </Button>
        <DeleteButton id={id} title={title} />
      </div>
    </>
  )
}

/** Deletes a widget with its second press; the focus leaving it takes the first one back. */
function DeleteButton({ id, title }: { readonly id: string; readonly title: string }) {
  const t = useText()
  const { api } = useClient()
  const queries = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const { run, isRunning, notice } = useAction([WIDGETS])
  const remove = () =>
    run(async () => {
      await api.delete('/api/widgets/{id}', { path: { id } })
      await queries.invalidateQueries({ queryKey: [DATA] })
      return undefined
    })
  const text = isAsked ? INSIGHT_TEXTS.INSIGHT_DELETE_CONFIRM : INSIGHT_TEXTS.INSIGHT_DELETE_ONE
  return (
    <>
      <Button
        aria-label={t(text({ title }))}
        isDisabled={isRunning}
        onBlur={() => setAsked(false)}
        onPress={() => (isAsked ? void remove() : setAsked(true))}
      >
        {t(isAsked ? INSIGHT_TEXTS.INSIGHT_DELETE_REALLY() : UI_TEXTS.UI_DELETE())}
      </Button>
      {notice}
    </>
  )
}
