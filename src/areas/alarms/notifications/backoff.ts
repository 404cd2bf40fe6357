import { RESEND_FIRST_MS, RESEND_MAX_MS } from './limits.ts'

/** How long to wait after so many failures in a row, from 1. */
export const resendAfterMs = (failures: number): number =>
  Math.min(RESEND_MAX_MS, RESEND_FIRST_MS * 2 ** Math.min(failures - 1, 20))
