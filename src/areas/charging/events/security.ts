import type { OcppVersion } from '../../../kernel/ocpp.ts'
import { iso } from '../../../kernel/time.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import { type AlarmSeverity, raise } from '../../alarms/system-alarms/index.ts'
import { CHARGING_ALARM_TEXTS } from '../messages.ts'
import { alarmSubject, type ChargerRef, readAlarmPayload } from '../registry/index.ts'
import { recordEvent } from './store.ts'

/**
 * The critical security events of the OCPP 1.6 security white paper (section 8) and of OCPP 2.0.1 part 2
 * (appendix 1), with the severity of their alarm. Many of them happen in every maintenance.
 */
const CRITICAL: Readonly<Record<string, AlarmSeverity>> = {
  FirmwareUpdated: 'info',
  SettingSystemTime: 'info',
  StartupOfTheDevice: 'info',
  ResetOrReboot: 'info',
  SecurityLogWasCleared: 'critical',
  MemoryExhaustion: 'critical',
  TamperDetectionActivated: 'critical',
}
const CRITICAL_201: Readonly<Record<string, AlarmSeverity>> = {
  ...CRITICAL,
  InvalidFirmwareSignature: 'critical',
  InvalidFirmwareSigningCertificate: 'critical',
  InvalidCsmsCertificate: 'critical',
  InvalidChargingStationCertificate: 'critical',
  InvalidTLSVersion: 'critical',
  InvalidTLSCipherSuite: 'critical',
  MaintenanceLoginAccepted: 'warning',
  MaintenanceLoginFailed: 'critical',
}

export interface SecurityEvent {
  readonly type: string
  readonly at: Date
  readonly techInfo?: string | undefined
  readonly now: Date
}

function severityOf(version: OcppVersion, type: string): AlarmSeverity | undefined {
  const table = version === '1.6' ? CRITICAL : CRITICAL_201
  return Object.hasOwn(table, type) ? table[type] : undefined
}

/**
 * Records a security event. A critical one raises an alarm, one for each charger and type until it is closed.
 */
export async function recordSecurityEvent(
  tx: TenantTx,
  charger: ChargerRef & { readonly version: OcppVersion },
  { type, at, techInfo, now }: SecurityEvent,
): Promise<void> {
  const details = { type, ...(techInfo !== undefined && { tech_info: techInfo }) }
  const result = await recordEvent(tx, charger, { type: 'security', at, details, now })
  const severity = severityOf(charger.version, type)
  // A repeated event has already raised its alarm, which may have been closed since.
  if (result === 'known' || severity === undefined) return
  const chargerPayload = await readAlarmPayload(tx, charger)
  await raise(tx, {
    policy: 'ocpp_security_event',
    cause: `${alarmSubject(charger)}|${type}`,
    severity,
    message: techInfo
      ? CHARGING_ALARM_TEXTS.OCPP_SECURITY_EVENT_WITH_INFO({
          charger: chargerPayload.name,
          type,
          tech_info: techInfo,
        })
      : CHARGING_ALARM_TEXTS.OCPP_SECURITY_EVENT({ charger: chargerPayload.name, type }),
    payload: { ...chargerPayload, ...details, occurred_at: iso(at.getTime()) },
    at: now.getTime(),
  })
}
