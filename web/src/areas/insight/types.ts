import type { PathOf, ResponseOf } from '../../../../clients/typescript/src/operations.ts'

export type Widget = ResponseOf<'GET', '/api/subregions/{id}/widgets'>[number]
export type WidgetType = Widget['widget_type']
export type WidgetData = ResponseOf<'GET', '/api/subregions/{id}/widgets/data'>['widgets'][number]
export type TypeInfo = ResponseOf<'GET', '/api/widgets/types'>[number]

type DataPath<Name extends string> = Extract<PathOf<'GET'>, `/api/widgets/{id}/data/${Name}`>
/** The data of a widget, which is that of its own path. */
export type DataOf<Name extends string> = ResponseOf<'GET', DataPath<Name>>

export interface WidgetViewProps<Data> {
  readonly title: string
  readonly data: Data
}
