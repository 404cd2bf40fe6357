/** Enumerations of updates, with their texts and tones. */
import type { ListItem } from '../../../../clients/typescript/src/index.ts'
import type { States } from '../../ui/states.tsx'
import { UPDATE_TEXTS } from './texts.ts'

export type Batch = ListItem<'/api/ota/batches'>
export type Update = ListItem<'/api/ota/updates'>
type Firmware = ListItem<'/api/firmware/versions'>

export const BATCH_STATES: States<Batch['status']> = {
  running: { text: UPDATE_TEXTS.UPDATES_RUNNING },
  completed: { text: UPDATE_TEXTS.UPDATES_COMPLETED, tone: 'success' },
  stopped: { text: UPDATE_TEXTS.UPDATES_STOPPED, tone: 'danger' },
  cancelled: { text: UPDATE_TEXTS.UPDATES_CANCELLED, tone: 'warning' },
}

export const UPDATE_STATES: States<Update['status']> = {
  queued: { text: UPDATE_TEXTS.UPDATES_QUEUED },
  notified: { text: UPDATE_TEXTS.UPDATES_NOTIFIED },
  downloading: { text: UPDATE_TEXTS.UPDATES_DOWNLOADING },
  downloaded: { text: UPDATE_TEXTS.UPDATES_DOWNLOADED },
  installing: { text: UPDATE_TEXTS.UPDATES_INSTALLING },
  succeeded: { text: UPDATE_TEXTS.UPDATES_SUCCEEDED, tone: 'success' },
  failed: { text: UPDATE_TEXTS.UPDATES_FAILED, tone: 'danger' },
  cancelled: { text: UPDATE_TEXTS.UPDATES_CANCELLED, tone: 'warning' },
}

export const FIRMWARE_STATES: States<Firmware['status']> = {
  draft: { text: UPDATE_TEXTS.UPDATES_DRAFT },
  released: { text: UPDATE_TEXTS.UPDATES_RELEASED, tone: 'success' },
  deprecated: { text: UPDATE_TEXTS.UPDATES_DEPRECATED, tone: 'warning' },
}
