import { Type } from 'typebox'
import type { Parameters } from '../../../../kernel/messages.ts'
import { Id, Nullable, OneOf } from '../../../../platform/http/fields.ts'
import { WIDGET_TYPES } from '../types.ts'

const text = (description: string) => Type.String({ description })

/** The error of a widget. */
interface WidgetError {
  error_code: string
  message: string
  message_code: string
  parameters: Parameters
}

export const DashboardData = Type.Object(
  {
    subregion_id: { ...Id, description: 'Subregion of the dashboard.' },
    widgets: Type.Array(
      Type.Object({
        widget_id: Id,
        widget_type: { ...OneOf(WIDGET_TYPES), description: 'Widget type.' },
        title: text('Title of the widget.'),
        data: Type.Unsafe<object | null>({
          type: ['object', 'null'],
          additionalProperties: true,
          description:
            'Data identical to the response of `source`; null with an error, and for the two types whose data ' +
            'is read from the endpoint of their own feature (osos_consumption_chart, mahsuplasma_balance) with ' +
            'its own permission.',
        }),
        error: Type.Unsafe<WidgetError | null>({
          type: ['object', 'null'],
          properties: {
            error_code: text('Error code that `source` would return.'),
            message: text('Reason why the data cannot be computed, in the language of Accept-Language.'),
            message_code: text('Code of the message.'),
            parameters: {
              type: 'object',
              description: 'The values in the message, by their names.',
              additionalProperties: true,
            },
          },
          description:
            'Error, present only if the data of this widget cannot be computed; other widgets are not affected.',
        }),
        source: Nullable(
          text('Path of the data of this widget; null: the config specifies nothing to read.'),
        ),
      }),
      { description: 'Active widgets in the order of creation.' },
    ),
  },
  { title: 'DashboardData' },
)
