import { verifiesSignups } from '../areas/admin/tenants/index.ts'
import type { Config } from '../platform/settings/config.ts'

export interface Observed {
  /** A proxy that TRUSTED_PROXIES does not name has forwarded a request. */
  readonly hasUnknownProxy: boolean
}

type Relevant = Pick<
  Config,
  | ('host' | 'trustedProxies' | 'internalAllowedNetworks' | 'mqttUrl' | 'brokerWebhookSecret')
  | ('smtpUrl' | 'publicBaseUrl' | 'tenantSignupEnabled' | 'signupVerification')
>

const LOOPBACK = /^(?:127\.|::1$|localhost$)/

/** True when other machines probably reach the service, directly or through a proxy. */
const isPublic = ({ host, trustedProxies, publicBaseUrl, smtpUrl }: Relevant): boolean =>
  !LOOPBACK.test(host) || trustedProxies.length > 0 || publicBaseUrl !== undefined || smtpUrl !== undefined

/** The notes about signup, which is closed by default. */
function signupNotes(config: Relevant, isExposed: boolean): [boolean, string][] {
  const verifies = verifiesSignups(config)
  return [
    [
      config.tenantSignupEnabled && !verifies && isExposed,
      'TENANT_SIGNUP_ENABLED is set and addresses are not verified: anybody can create tenants under any ' +
        'address; set SMTP_URL, and SIGNUP_VERIFICATION to required',
    ],
    [
      config.tenantSignupEnabled && verifies && config.smtpUrl === undefined,
      'SIGNUP_VERIFICATION is required and SMTP_URL is not set: the links of signups are written to ' +
        'DATA_DIR/outbox and reach nobody',
    ],
  ]
}

/** The private and the link-local addresses of IPv6, which INTERNAL_ALLOWED_NETWORKS contains by default. */
const PRIVATE_IPV6 = ['fc00::/7', 'fe80::/10']

/** Networks of fewer bits contain addresses of many organizations. */
const hasHugeNetwork = (networks: readonly string[]): boolean =>
  networks.some((network) => {
    const [address = '', bits = '128'] = network.split('/')
    return !PRIVATE_IPV6.includes(network) && Number(bits) < (address.includes(':') ? 16 : 8)
  })

/** Returns sentences for `/readiness` about combinations of settings that are unsafe. */
export function deploymentNotes(config: Relevant, { hasUnknownProxy }: Observed): string[] {
  const notes: [boolean, string][] = [
    [
      hasUnknownProxy,
      'a proxy that TRUSTED_PROXIES does not name forwards requests: all its clients share one rate limit, ' +
        'and none of them can call internal endpoints; add the address of the proxy',
    ],
    [
      hasHugeNetwork(config.trustedProxies),
      'TRUSTED_PROXIES contains a network with addresses of strangers: a client there can claim any address ' +
        'in X-Forwarded-For; name the addresses of the proxies',
    ],
    [
      hasHugeNetwork(config.internalAllowedNetworks),
      'INTERNAL_ALLOWED_NETWORKS contains a network with addresses of strangers, which can read /metrics',
    ],
    [
      config.mqttUrl !== undefined && config.brokerWebhookSecret === undefined,
      'MQTT_URL is set and BROKER_WEBHOOK_SECRET is not: webhooks of a broker on another machine are refused',
    ],
  ]
  notes.push(...signupNotes(config, hasUnknownProxy || isPublic(config)))
  return notes.filter(([applies]) => applies).map(([, sentence]) => sentence)
}
