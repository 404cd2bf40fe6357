import { conflict } from '../../../kernel/errors.ts'
import type { Message } from '../../../kernel/messages.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import type { Config } from '../../../platform/settings/config.ts'
import { hasValidCertificate } from '../certificates/index.ts'
import { CHARGING_TEXTS } from '../messages.ts'
import type { CommandBody } from './schema.ts'
import { readSecurityProfile } from './store.ts'

export type ConnectionSettings = Pick<Config, 'ocpp' | 'publicBaseUrl'>

interface Circumstances {
  readonly chargerId: string
  readonly config: ConnectionSettings
  readonly now: Date
}

const hostOf = (url: string | undefined): string | undefined =>
  url !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined

/** The configuration key of OCPP 1.6, with the component of OCPP 2.0.1. */
const PROFILE_KEY = /^(SecurityCtrlr\.)?SecurityProfile$/i

/** The security profile that a command sets for connections to this service; undefined for other commands. */
function ownProfileOf(
  { action, ...fields }: CommandBody,
  publicBaseUrl: string | undefined,
): number | undefined {
  const { key, value, url, security_profile: profile } = fields
  if (action === 'set_configuration' && PROFILE_KEY.test(String(key))) return Number(value)
  if (action !== 'set_network_profile') return undefined
  const host = hostOf(String(url))
  return host !== undefined && host === hostOf(publicBaseUrl) ? Number(profile) : undefined
}

/**
 * Refuses to set a security profile with which the station could not connect any more: one that is lower than
 * the profile it has reached, or client certificates that it does not have or that nothing checks. A station
 * that cannot connect receives no command that corrects it.
 */
export async function checkSecurityProfile(
  tx: TenantTx,
  body: CommandBody,
  { chargerId, config, now }: Circumstances,
): Promise<void> {
  if (body.action === 'set_network_profile' && Number(body['security_profile']) > 1) {
    if (!String(body['url']).startsWith('wss://'))
      throw invalidInput(['body', 'url'], CHARGING_TEXTS.SECURITY_PROFILE_URL())
  }
  const profile = ownProfileOf(body, config.publicBaseUrl)
  if (profile === undefined) return
  const reached = await readSecurityProfile(tx, chargerId)
  if (profile < reached) throw stranded(CHARGING_TEXTS.SECURITY_PROFILE_LOWERED({ reached }))
  if (profile !== 3) return
  const { tlsPort, tlsClientCa } = config.ocpp
  if (tlsPort === undefined) throw stranded(CHARGING_TEXTS.SECURITY_PROFILE_NO_LISTENER())
  if (tlsClientCa === undefined && !(await hasValidCertificate(tx, { chargerId }, now)))
    throw stranded(CHARGING_TEXTS.CHARGER_WITHOUT_CLIENT_CERTIFICATE())
}

const stranded = (reason: Message) => conflict('STATE_CONFLICT', CHARGING_TEXTS.CHARGER_STRANDED({ reason }))
