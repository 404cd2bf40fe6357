/** Enumerations of lockout/tagout, with their texts and tones. */
import type { ListItem } from '../../../../clients/typescript/src/index.ts'
import type { ResponseOf } from '../../../../clients/typescript/src/operations.ts'
import type { States } from '../../ui/states.tsx'
import { SAFETY_TEXTS } from './texts.ts'

export type Point = ListItem<'/api/loto/points'>
export type SessionDetail = ResponseOf<'GET', '/api/loto/sessions/{id}'>

export const SESSION_STATES: States<SessionDetail['status']> = {
  pending: { text: SAFETY_TEXTS.SAFETY_PENDING, tone: 'warning' },
  approved: { text: SAFETY_TEXTS.SAFETY_APPROVED },
  rejected: { text: SAFETY_TEXTS.SAFETY_REJECTED },
  applied: { text: SAFETY_TEXTS.SAFETY_APPLIED, tone: 'danger' },
  released: { text: SAFETY_TEXTS.SAFETY_RELEASED, tone: 'success' },
}

export const ENERGY_TYPES: States<Point['energy_type']> = {
  electrical: { text: SAFETY_TEXTS.SAFETY_ELECTRICAL },
  mechanical: { text: SAFETY_TEXTS.SAFETY_MECHANICAL },
  hydraulic: { text: SAFETY_TEXTS.SAFETY_HYDRAULIC },
  pneumatic: { text: SAFETY_TEXTS.SAFETY_PNEUMATIC },
  thermal: { text: SAFETY_TEXTS.SAFETY_THERMAL },
  chemical: { text: SAFETY_TEXTS.SAFETY_CHEMICAL },
  gravitational: { text: SAFETY_TEXTS.SAFETY_GRAVITATIONAL },
  radiation: { text: SAFETY_TEXTS.SAFETY_RADIATION },
  other: { text: SAFETY_TEXTS.SAFETY_OTHER },
}

export const VERIFICATIONS: States<'measured' | 'manual'> = {
  measured: { text: SAFETY_TEXTS.SAFETY_MEASURED, tone: 'success' },
  manual: { text: SAFETY_TEXTS.SAFETY_MANUAL, tone: 'success' },
}
