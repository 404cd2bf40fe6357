/** Calculations whose lists and pages are their own; what may be done with one is described here. */
import { KIND_TEXTS } from './kind-texts.ts'
import type { RecordAction, RecordChanges } from './resource.ts'

const PERMISSION = 'manage:netting'

/** Calculations of the list `list`: each can be cancelled while it waits, and deleted. */
export function calculation(list: string, actions: (item: string) => readonly RecordAction[] = () => []) {
  const item = `${list}/{id}`
  const cancel: RecordAction = {
    name: 'cancel',
    title: KIND_TEXTS.KIND_CANCEL_CALCULATION,
    method: 'POST',
    path: `${item}/cancel`,
    permission: PERMISSION,
    isOffered: ({ state }) => state === 'waiting',
  }
  return {
    permission: PERMISSION,
    list,
    item: { path: item, parameter: 'id', isReadable: true },
    isDeletable: true,
    actions: [cancel, ...actions(item)],
  } as const satisfies RecordChanges
}

export const SCENARIOS = calculation('/api/mahsuplasma/scenarios', (item) => [
  {
    name: 'calculate',
    title: KIND_TEXTS.KIND_CALCULATE_AGAIN,
    method: 'POST',
    path: `${item}/calculate`,
    permission: PERMISSION,
    isOffered: ({ state }) => state !== 'waiting',
  },
])
export const SIZINGS = calculation('/api/mahsuplasma/sizings')
export const HOURLY_FORECASTS = calculation('/api/mahsuplasma/hourly-forecasts')
