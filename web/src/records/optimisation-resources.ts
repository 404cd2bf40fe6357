/** Optimisations: requests with a form, whose results have a page of their own. */
import { calculation } from './calculation-resources.ts'
import { KIND_TEXTS } from './kind-texts.ts'
import { FACILITY, GROUP } from './netting-resources.ts'
import type { Resource } from './resource.ts'

/** The fields that only some kinds have. */
const KINDS_OF: Readonly<Record<string, readonly string[]>> = {
  batteries: ['battery_dispatch', 'battery_next_day'],
  first_day: ['battery_dispatch', 'battery_next_day'],
  end_day: ['battery_dispatch'],
  facility_ids: ['assignment'],
  same_region: ['assignment'],
  same_voltage: ['assignment'],
  pair_values: ['allocation'],
  replaces_measured: ['battery_dispatch', 'battery_next_day'],
}

export const OPTIMISATIONS: Resource = {
  ...calculation('/api/mahsuplasma/optimisations', (item) => [
    {
      name: 'scenario',
      title: KIND_TEXTS.KIND_OPTIMISATION_SCENARIO,
      note: KIND_TEXTS.KIND_OPTIMISATION_SCENARIO_NOTE,
      method: 'POST',
      path: `${item}/scenario`,
      permission: 'manage:netting',
      isOffered: ({ state, kind }) =>
        state === 'done' && kind !== 'battery_next_day' && kind !== 'allocation',
    },
  ]),
  empty: KIND_TEXTS.KIND_EMPTY,
  paging: 'offset',
  name: 'optimisations',
  report: 'optimisations',
  title: KIND_TEXTS.KIND_OPTIMISATIONS,
  createTitle: KIND_TEXTS.KIND_NEW_OPTIMISATION,
  createNote: KIND_TEXTS.KIND_NEW_OPTIMISATION_NOTE,
  hasSearch: true,
  columns: ['name', 'kind', 'state', 'group_ids', 'from', 'to', 'benefit_try', 'gap_try', 'created_at'],
  references: {
    group_ids: GROUP,
    facility_id: FACILITY,
    facility_ids: FACILITY,
    producer_id: FACILITY,
    consumer_id: FACILITY,
  },
  months: ['from', 'to'],
  isWaiting: ({ state }) => state === 'waiting',
  initial: { kind: 'battery_dispatch' },
  isHidden: (name, { kind }) => KINDS_OF[name]?.includes(String(kind)) === false,
}
