import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ListItem } from '../../../../clients/typescript/src/index.ts'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { valueText } from '../../records/value-texts.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { StateTag } from '../../ui/states.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import type { SizedColumn } from '../../ui/virtual-table.tsx'
import { DEVICE_SOURCES, ONLINE_STATES } from './states.ts'
import { EQUIPMENT_TEXTS } from './texts.ts'

type Device = ListItem<'/api/devices'>

interface DeviceTableProps {
  readonly devices: readonly Device[]
  /** Filters and order of the list. */
  readonly filters: object
}

/** A few devices. */
export function DeviceTable({ devices, filters }: DeviceTableProps) {
  const t = useText()
  return (
    <DataTable
      report={{ list: 'devices', query: filters }}
      caption={t(EQUIPMENT_TEXTS.EQUIPMENT_DEVICES())}
      rows={devices}
      keyOf={({ id }) => id}
      empty={t(EQUIPMENT_TEXTS.EQUIPMENT_NO_DEVICES())}
      columns={useDeviceColumns()}
    />
  )
}

/** The columns of devices, with their shares of a width. */
export function useDeviceColumns(): readonly SizedColumn<Device>[] {
  const t = useText()
  const { language } = useLanguage()
  return useMemo(
    () => [
      {
        id: 'name',
        share: 4,
        title: t(EQUIPMENT_TEXTS.EQUIPMENT_NAME()),
        cell: ({ id, name }) => (
          <Link to="/devices/$deviceId" params={{ deviceId: id }}>
            {name}
          </Link>
        ),
      },
      {
        id: 'type',
        share: 3,
        title: t(EQUIPMENT_TEXTS.EQUIPMENT_TYPE()),
        cell: (row) => valueText(row.device_type, t),
      },
      {
        id: 'source',
        share: 2,
        title: t(EQUIPMENT_TEXTS.EQUIPMENT_SOURCE()),
        cell: (row) => <StateTag states={DEVICE_SOURCES} value={row.device_source} />,
      },
      {
        id: 'state',
        share: 2,
        title: t(EQUIPMENT_TEXTS.EQUIPMENT_STATE()),
        cell: (row) => <StateTag states={ONLINE_STATES} value={row.is_online ? 'online' : 'silent'} />,
      },
      {
        id: 'seen',
        share: 3,
        title: t(EQUIPMENT_TEXTS.EQUIPMENT_LAST_SEEN()),
        cell: ({ last_seen }) =>
          last_seen === null ? t(UI_TEXTS.UI_NONE()) : formatInstant(last_seen, 'dateTime', language),
      },
    ],
    [t, language],
  )
}
