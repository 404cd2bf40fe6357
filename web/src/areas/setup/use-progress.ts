import { useGet } from '../../api/queries.ts'
import { monthOf } from '../../kernel/dates.ts'
import type { StepName } from './step-names.ts'

const REFRESH_MS = 5_000
const ONE = { query: { limit: 1 } } as const

export interface Progress {
  readonly isKnown: boolean
  readonly isDone: (step: StepName) => boolean
}

/**
 * Which steps are complete. It follows from the records of the tenant, so that the setup can be left at any time,
 * resumed in another browser, and done in part through the API.
 */
export function useProgress(): Progress {
  const refresh = { refetchInterval: REFRESH_MS }
  const sites = useGet('/api/subregions', ONE)
  const devices = useGet('/api/devices', ONE)
  const reporting = useGet('/api/devices', { query: { limit: 1, is_online: true } }, refresh)
  const assignments = useGet('/api/mahsuplasma/meters/assignments', ONE)
  const groups = useGet(
    '/api/mahsuplasma/groups/overview',
    { query: { billing_period: `${monthOf(Date.now())}-01`, limit: 200 } },
    refresh,
  )
  const done: Readonly<Record<StepName, boolean>> = {
    site: (sites.data?.total ?? 0) > 0,
    meter: (devices.data?.total ?? 0) > 0,
    values: (reporting.data?.total ?? 0) > 0,
    facility: (assignments.data?.length ?? 0) > 0,
    group: (groups.data?.length ?? 0) > 0,
    calculation: groups.data?.some(({ month_status }) => month_status !== 'not_calculated') ?? false,
    history: false,
  }
  const isKnown = [sites, devices, reporting, assignments, groups].every(({ isFetched }) => isFetched)
  return { isKnown, isDone: (step) => done[step] }
}
