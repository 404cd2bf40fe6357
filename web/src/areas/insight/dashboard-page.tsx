import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { WIDGET_PERIODS, type WidgetPeriod } from '../../../../src/kernel/widget-periods.ts'
import { useGet } from '../../api/queries.ts'
import { useCan } from '../../api/session.tsx'
import { useText } from '../../kernel/text.tsx'
import { Button, Notice, Select } from '../../ui/controls.tsx'
import { Loaded, Page } from '../../ui/page.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { cellStyle } from './cell-style.ts'
import { layoutOf } from './layout.ts'
import { INSIGHT_TEXTS } from './texts.ts'
import type { Widget, WidgetData } from './types.ts'
import { WidgetForm } from './widget-form.tsx'
import { valueText } from './widget-texts.ts'
import { WidgetContent } from './widget-view.tsx'

/** Drag and drop is a third of the script of the console, so it is loaded when it is used. */
const Arrangement = lazy(async () => ({ default: (await import('./arrangement.tsx')).Arrangement }))

/** All data of the dashboard are one request. */
const REFRESH_MS = 15_000
const WIDGETS_MAX = 100

/** The dashboard of a subregion: its widgets with their data, and their arrangement for those who may change it. */
export function DashboardPage() {
  const t = useText()
  const can = useCan()
  const { subregionId } = useParams({ from: '/signed-in/dashboards/$subregionId' })
  const { range, arrange, widget } = useSearch({ from: '/signed-in/dashboards/$subregionId' })
  const navigate = useNavigate({ from: '/dashboards/$subregionId' })
  const path = { id: subregionId }
  const subregion = useGet('/api/subregions/{id}', { path }, { enabled: can('read:region') })
  const widgets = useGet('/api/subregions/{id}/widgets', { path, query: { limit: WIDGETS_MAX } })
  const data = useGet(
    '/api/subregions/{id}/widgets/data',
    { path, query: { time_range: range } },
    { refetchInterval: REFRESH_MS, enabled: can('read:measurement') },
  )
  const canChange = can('manage:widget')
  const isArranging = arrange === 'yes' && canChange
  const edit = (id: string | undefined) =>
    void navigate({ search: (previous) => ({ ...previous, widget: id }), replace: true })
  return (
    <Page
      title={subregion.data?.name ?? t(INSIGHT_TEXTS.INSIGHT_DASHBOARD())}
      actions={
        <>
          <RangeSelect />
          {canChange && (
            <>
              <Button onPress={() => edit('new')}>{t(INSIGHT_TEXTS.INSIGHT_ADD())}</Button>
              <Button
                variant={isArranging ? 'primary' : 'normal'}
                onPress={() =>
                  void navigate({
                    search: (previous) => ({ ...previous, arrange: isArranging ? undefined : 'yes' }),
                    replace: true,
                  })
                }
              >
                {t(isArranging ? INSIGHT_TEXTS.INSIGHT_DONE() : INSIGHT_TEXTS.INSIGHT_ARRANGE())}
              </Button>
            </>
          )}
        </>
      }
    >
      <Loaded query={widgets}>
        {(list) => (
          <>
            {canChange && widget !== undefined && (
              <WidgetForm
                key={widget}
                subregionId={subregionId}
                widgets={list}
                widget={list.find(({ id }) => id === widget)}
                onClose={() => edit(undefined)}
              />
            )}
            <Loaded query={can('read:measurement') ? data : NOTHING}>
              {({ widgets: contents }) =>
                isArranging ? (
                  <Suspense fallback={<p role="status">{t(UI_TEXTS.UI_LOADING())}</p>}>
                    <Arrangement subregionId={subregionId} widgets={list} contents={contents} onEdit={edit} />
                  </Suspense>
                ) : (
                  <WidgetGrid widgets={list.filter(({ is_active }) => is_active)} contents={contents} />
                )
              }
            </Loaded>
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Users without the permission for measurements see the widgets only. */
const NOTHING = {
  data: { subregion_id: '', widgets: [] as WidgetData[] },
  error: null,
  refetch: () => undefined,
}

/** The period of the widgets that have none in their config. */
function RangeSelect() {
  const t = useText()
  const { range } = useSearch({ from: '/signed-in/dashboards/$subregionId' })
  const navigate = useNavigate({ from: '/dashboards/$subregionId' })
  return (
    <Select<WidgetPeriod | ''>
      label={t(INSIGHT_TEXTS.INSIGHT_TIME_RANGE())}
      value={range ?? ''}
      onChange={(value) =>
        void navigate({
          search: (previous) => ({ ...previous, range: value === '' ? undefined : value }),
          replace: true,
        })
      }
      options={[
        { value: '', text: t(INSIGHT_TEXTS.INSIGHT_DEFAULT()) },
        ...WIDGET_PERIODS.map((value) => ({ value, text: valueText(value, t) })),
      ]}
    />
  )
}

interface WidgetGridProps {
  readonly widgets: readonly Widget[]
  readonly contents: readonly WidgetData[]
}

function WidgetGrid({ widgets, contents }: WidgetGridProps) {
  const t = useText()
  const byId = new Map(widgets.map((widget) => [widget.id, widget]))
  const dataById = new Map(contents.map((content) => [content.widget_id, content]))
  if (widgets.length === 0) return <Notice>{t(INSIGHT_TEXTS.INSIGHT_NO_WIDGETS())}</Notice>
  return (
    <div className="dashboard">
      {layoutOf(widgets).map(({ id, cell }) => {
        const widget = byId.get(id)
        return (
          widget && (
            <section key={id} className="card widget" style={cellStyle(cell)} aria-labelledby={`title-${id}`}>
              <h2 id={`title-${id}`}>{widget.title}</h2>
              <WidgetContent title={widget.title} type={widget.widget_type} data={dataById.get(id)} />
            </section>
          )
        )
      })}
    </div>
  )
}
