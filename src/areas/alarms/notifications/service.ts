import { found } from '../../../kernel/errors.ts'
import type { Language } from '../../../kernel/messages.ts'
import { changes } from '../../../platform/db/columns.ts'
import { systemDb, type TenantDb, type TenantTx } from '../../../platform/db/tenant.ts'
import type { Principal } from '../../../platform/http/app-type.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { inLanguage } from '../incidents/index.ts'
import { ALARM_TEXTS } from '../messages.ts'
import { titleIn } from '../system-alarms/index.ts'
import { DEFAULT_LANGUAGE, DEFAULT_MIN_SEVERITY } from './delivery/outbox-store.ts'
import { NOTIFICATION_KEPT_MS, NOTIFICATIONS_KEPT_MAX } from './limits.ts'
import type { Settings, UpdateSettings } from './schema.ts'
import * as notifications from './store.ts'

const FIELDS = ['email_enabled', 'email_min_severity', 'quiet_from', 'quiet_to', 'language'] as const

export async function readNotification(tx: TenantTx, userId: string, id: string) {
  const what = 'notification'
  found(what, await notifications.find(tx, userId, id))
  await notifications.markRead(tx, userId, id)
  return found(what, await notifications.find(tx, userId, id))
}

type Item = NonNullable<Awaited<ReturnType<typeof notifications.find>>>

/** A notification with its title and message in a language. */
export function toResponse(language: Language, item: Item) {
  const { payload: _, ...notification } = inLanguage(language, item)
  return { ...notification, title_text: titleIn(language, notification.title) }
}

/**
 * Returns the settings of a user, or the defaults: users with manage:alarm receive mails from severity
 * warning on.
 */
export async function settingsOf(db: TenantDb, { id, permissions }: Principal): Promise<Settings> {
  return (
    (await notifications.findSettings(db, id)) ?? {
      email_enabled: permissions.has('manage:alarm'),
      email_min_severity: DEFAULT_MIN_SEVERITY,
      quiet_from: null,
      quiet_to: null,
      language: (await notifications.findUserLanguage(db, id)) ?? DEFAULT_LANGUAGE,
    }
  )
}

interface Change {
  readonly user: Principal
  readonly body: UpdateSettings
  readonly now: number
}

/** Changes the settings of a user; throws 422 when only one end of the quiet hours is given. */
export async function changeSettings(tx: TenantTx, { user, body, now }: Change): Promise<Settings> {
  const settings = { ...(await settingsOf(tx, user)), ...changes(body, FIELDS) }
  if ((settings.quiet_from === null) !== (settings.quiet_to === null))
    throw invalidInput(['body', 'quiet_to'], ALARM_TEXTS.QUIET_HOURS_INCOMPLETE())
  await notifications.saveSettings(tx, user.id, { ...settings, updated_at: new Date(now) })
  return settings
}

/** The nightly job, which deletes old notifications. */
export const clearNotifications = ({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<void> =>
  notifications.purge(systemDb(database.kysely), {
    before: new Date(clock.now() - NOTIFICATION_KEPT_MS),
    keep: NOTIFICATIONS_KEPT_MAX,
  })
