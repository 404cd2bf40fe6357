import { useQueryClient } from '@tanstack/react-query'
import type { ResponseOf } from '../../../../../clients/typescript/src/operations.ts'
import { useGet, whileWaiting } from '../../../api/queries.ts'
import type { States } from '../../../ui/states.tsx'
import { FORECAST_PAGE_TEXTS as TEXTS } from './texts.ts'

export const LIST = '/api/mahsuplasma/hourly-forecasts'
export const ONE = '/api/mahsuplasma/hourly-forecasts/{id}'
export type Forecast = ResponseOf<'GET', typeof ONE>
export type ForecastHead = ResponseOf<'GET', typeof LIST>[number]
export type Series = Forecast['series'][number]
export type ForecastHour = ResponseOf<'GET', '/api/mahsuplasma/hourly-forecasts/{id}/hours'>[number]

export const useForecast = (id: string) => useGet(ONE, { path: { id } }, { refetchInterval: whileWaiting })

export const useForecastList = (query: { readonly offset: number; readonly limit: number }) =>
  useGet(LIST, { query }, { refetchInterval: whileWaiting, staleTime: 0 })

/** All reads about forecasts again, after one of them was changed. */
export function useForecastRefresh(): () => Promise<void> {
  const queries = useQueryClient()
  return () =>
    queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith(LIST) })
}

export const FORECAST_STATES: States<'waiting' | 'done' | 'failed' | 'cancelled'> = {
  waiting: { text: TEXTS.FORECASTS_WAITING },
  done: { text: TEXTS.FORECASTS_DONE, tone: 'success' },
  failed: { text: TEXTS.FORECASTS_FAILED, tone: 'danger' },
  cancelled: { text: TEXTS.FORECASTS_CANCELLED },
}
