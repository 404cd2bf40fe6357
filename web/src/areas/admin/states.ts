/** Enumerations of the administration, with their texts and tones. */
import type { ListItem } from '../../../../clients/typescript/src/index.ts'
import type { States } from '../../ui/states.tsx'
import { ADMIN_TEXTS } from './texts.ts'

export type Change = ListItem<'/api/changes'>
export type User = ListItem<'/api/users'>
export type Role = ListItem<'/api/roles'>

export const USER_STATES: States<'active' | 'inactive'> = {
  active: { text: ADMIN_TEXTS.ADMIN_ACTIVE, tone: 'success' },
  inactive: { text: ADMIN_TEXTS.ADMIN_INACTIVE, tone: 'warning' },
}

export const ACTIONS: States<Change['action']> = {
  create: { text: ADMIN_TEXTS.ADMIN_CREATED, tone: 'success' },
  update: { text: ADMIN_TEXTS.ADMIN_UPDATED },
  delete: { text: ADMIN_TEXTS.ADMIN_DELETED, tone: 'danger' },
}

export const ACTORS: States<Change['actor_kind']> = {
  user: { text: ADMIN_TEXTS.ADMIN_USER },
  anonymous: { text: ADMIN_TEXTS.ADMIN_ANONYMOUS },
  job: { text: ADMIN_TEXTS.ADMIN_JOB },
  command: { text: ADMIN_TEXTS.ADMIN_COMMAND },
  service: { text: ADMIN_TEXTS.ADMIN_SERVICE },
}
