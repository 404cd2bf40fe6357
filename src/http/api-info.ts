import type { ApiInfo } from '../platform/http/openapi.ts'
import { packageVersion } from '../platform/settings/version.ts'
import { API_AREAS } from './api-areas.ts'

const DESCRIPTION = [
  'Energy monitoring and hourly netting.',
  'Unknown request keys are ignored; the header X-Ignored-Parameters names unknown query parameters. ' +
    'Decimals in netting, limit and tariff responses are strings: kWh with 3 decimals, money and prices with 6.',
  'Instants are ISO 8601 in UTC; days, months and billing periods are Turkey-local.',
  'The response for a single resource has an ETag; If-Match is evaluated on its PUT, PATCH and ' +
    'DELETE (412): a list of ETags in double quotes, or * for any version; anything else is 422.',
  'Netting and charger POST requests accept an optional Idempotency-Key: a request with the same key ' +
    'and body within 24 hours receives the first response again, with the header Idempotent-Replay: ' +
    'true.',
  'Programs authenticate with API keys, which are sent as bearer tokens like the access token of a login: ' +
    'docs/integrate/authentication.md.',
  'Every response has the header X-Request-Id: the value sent by the client, or a new one.',
  'This document also exists for each area, with the components that its operations use: ' +
    `${Object.keys(API_AREAS)
      .map((area) => `[${area}](openapi.json?area=${area})`)
      .join(', ')}. The list is under \`x-tagGroups\`.`,
].join('\n\n')

/** The head of the OpenAPI document. */
export const apiInfo = (): ApiInfo => ({
  title: 'Netsaat',
  version: packageVersion(),
  description: DESCRIPTION,
})
