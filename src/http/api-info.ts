import type { ApiInfo } from '../platform/http/openapi.ts'
import { packageVersion } from '../platform/settings/version.ts'

const DESCRIPTION = [
  'Energy monitoring and hourly netting.',
  'Unknown request keys are ignored. Decimals of the netting, limit and tariff answers are ' +
    'strings: kWh with 3 decimals, money and prices with 6.',
  'Instants are ISO 8601 in UTC; days, months and billing periods are Turkey-local.',
  'A single resource answers an ETag; If-Match on its PUT, PATCH or DELETE is honoured (412).',
  'Netting POSTs, and those of chargers, take an optional Idempotency-Key: the same key and ' +
    'body within 24 hours give the first answer again, with the header Idempotent-Replay: true.',
  "Every answer carries X-Request-Id: the caller's, or a new one.",
].join('\n\n')

/** The head of the OpenAPI document. */
export const apiInfo = (): ApiInfo => ({
  title: 'Netsaat',
  version: packageVersion(),
  description: DESCRIPTION,
})
