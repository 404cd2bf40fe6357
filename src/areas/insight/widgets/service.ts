import { found, invalidReference, unprocessable } from '../../../kernel/errors.ts'
import type { TenantTx } from '../../../platform/db/tenant.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import { checkConfig, devicesIn } from './config.ts'
import { WIDGETS_PER_SUBREGION_MAX } from './limits.ts'
import { WIDGET_TEXTS } from './messages.ts'
import type { ArrangeWidgets, CreateWidget, UpdateWidget } from './schema.ts'
import * as widgets from './store.ts'
import type { Config, WidgetType } from './types.ts'

/** 422 for a config that does not fit the type, for what it refers to, for a full or unknown subregion. */
export async function createWidget(
  tx: TenantTx,
  body: CreateWidget,
  now: number,
): Promise<widgets.StoredWidget> {
  const { subregion_id, widget_type, title, position, is_active } = body
  const config = await checkedConfig(tx, widget_type, body.config ?? {})
  await requireRoom(tx, subregion_id)
  return await widgets.insert(tx, {
    subregion_id,
    widget_type,
    title,
    config,
    created_at: new Date(now),
    ...(position !== undefined && { position }),
    ...(is_active !== undefined && { is_active }),
  })
}

/** The same rules hold for the combined state. */
export async function updateWidget(
  tx: TenantTx,
  id: string,
  body: UpdateWidget,
): Promise<widgets.StoredWidget> {
  const before = found('widget', await widgets.find(tx, id))
  const { subregion_id, widget_type, title, position, is_active } = body
  const needsCheck = body.config !== undefined || (widget_type ?? before.widget_type) !== before.widget_type
  const config = needsCheck
    ? await checkedConfig(tx, widget_type ?? before.widget_type, body.config ?? before.config)
    : undefined
  if (subregion_id !== undefined && subregion_id.toLowerCase() !== before.subregion_id) {
    await requireRoom(tx, subregion_id)
  }
  const changed = await widgets.update(tx, id, {
    ...(subregion_id !== undefined && { subregion_id }),
    ...(widget_type !== undefined && { widget_type }),
    ...(title !== undefined && { title }),
    ...(position !== undefined && { position }),
    ...(is_active !== undefined && { is_active }),
    ...(config !== undefined && { config }),
  })
  return found('widget', changed)
}

/**
 * Moves widgets of a subregion, all or none. 404 for an unknown subregion, 422 for a widget that is named twice or is
 * not there.
 */
export async function arrangeWidgets(
  tx: TenantTx,
  subregionId: string,
  { positions }: ArrangeWidgets,
): Promise<void> {
  found('subregion', (await widgets.hasSubregion(tx, subregionId)) || undefined)
  const byId = new Map(positions.map(({ widget_id, ...position }) => [widget_id.toLowerCase(), position]))
  const moved = await widgets.setPositions(tx, subregionId, byId)
  const seen = new Set<string>()
  positions.forEach(({ widget_id }, index) => {
    const id = widget_id.toLowerCase()
    const field = ['body', 'positions', index, 'widget_id']
    if (seen.has(id)) throw invalidInput(field, WIDGET_TEXTS.WIDGET_NAMED_TWICE())
    if (!moved.has(id)) throw unknownReference(field, 'widget')
    seen.add(id)
  })
}

async function requireRoom(tx: TenantTx, subregionId: string): Promise<void> {
  const count = await widgets.countInLocked(tx, subregionId)
  if (count === undefined) throw invalidReference('subregion_id')
  if (count >= WIDGETS_PER_SUBREGION_MAX) {
    throw unprocessable(
      'WIDGET_LIMIT_REACHED',
      WIDGET_TEXTS.WIDGET_LIMIT_OF_SUBREGION({ max: WIDGETS_PER_SUBREGION_MAX }),
    )
  }
}

const idIn = (config: Config, key: string): string | null => {
  const id = config[key]
  return typeof id === 'string' ? id : null
}

async function checkedConfig(tx: TenantTx, type: WidgetType, given: Config): Promise<Config> {
  const config = checkConfig(type, given)
  const named = devicesIn(type, config)
  const known = await widgets.knownDevices(
    tx,
    named.map(({ id }) => id),
  )
  const unknown = named.find(({ id }) => !known.has(id))
  if (unknown) throw unknownReference(unknown.field, 'device')
  if (type === 'osos_consumption_chart' || type === 'mahsuplasma_balance') {
    const installationId = type === 'osos_consumption_chart' ? idIn(config, 'installation_id') : null
    const groupId = type === 'mahsuplasma_balance' ? idIn(config, 'group_id') : null
    const { hasInstallation, hasGroup } = await widgets.knownSources(tx, { installationId, groupId })
    if (!hasInstallation) throw unknownReference(['body', 'config', 'installation_id'], 'installation')
    if (!hasGroup) throw unknownReference(['body', 'config', 'group_id'], 'group')
  }
  return config
}

const unknownReference = (field: (string | number)[], what: string) =>
  invalidInput(field, WIDGET_TEXTS.WIDGET_REFERENCE_UNKNOWN({ what }))
