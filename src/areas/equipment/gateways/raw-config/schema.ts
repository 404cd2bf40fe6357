import { type Static, Type } from 'typebox'
import { described, Id, Instant, Nullable, Warnings, Word } from '../../../../platform/http/fields.ts'
import { MessageText } from '../../../../platform/http/message-texts.ts'
import { PageQuery } from '../../../../platform/http/page.ts'
import { GATEWAY_CHANGES_LISTED_MAX } from '../limits.ts'
import { CHANGE_KINDS } from './diff.ts'

const Sha256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of the pushed bytes of the configuration.',
})
const PollGroupName = Type.String({ description: 'Name of the poll group in the register map.' })
const ReadFunction = Type.Integer({ description: 'Modbus function, 1 to 4.' })
const Count = Type.Integer({ description: 'Number of registers; for functions 1 and 2 the number of bits.' })
const Ms = (description: string) => Type.Number({ description })

/** Configuration state of a gateway, part of the gateway's own schema. */
export const ConfigStateFields = {
  config_state: Nullable({
    ...Word(['in_sync', 'pending', 'drift', 'rejected']),
    description:
      'null: nothing was pushed; pending: not yet confirmed by the gateway; drift: the gateway has ' +
      'another configuration; rejected: the gateway rejected it.',
  }),
  synced_version: Nullable(
    Type.Integer({ description: 'Version of the most recently pushed configuration.' }),
  ),
  reported_version: Nullable(Type.Integer({ description: 'Version reported by the gateway.' })),
  reported_at: Nullable(Instant),
}

const Block = Type.Object({
  poll_group: PollGroupName,
  function: ReadFunction,
  address: Type.Integer({ description: 'Address of the first register, from 0.' }),
  count: Count,
  keys: Type.Array(Type.String(), { description: 'Keys of the registers that this request reads.' }),
  expected_ms: Ms('Expected bus time in ms.'),
  worst_case_ms: Ms(
    'Bus time in ms of the first round if the device refuses every request of several registers: each is ' +
      'split until the registers stand alone.',
  ),
  worst_case_requests: Type.Integer({
    description: 'Number of requests of that round, with the refused ones.',
  }),
})

const PreviewRegister = Type.Object({
  key: Type.String({ description: 'Key of the register in the register map.' }),
  metric: Nullable(
    Type.String({
      description:
        'Metric under which the value is stored; null: the register is read only for other registers.',
    }),
  ),
  function: ReadFunction,
  address: Type.Integer({ description: 'Address of the first register.' }),
  count: Count,
  type: Type.String({ description: 'Data type of the raw value.' }),
  poll_group: PollGroupName,
})

const PreviewDevice = Type.Object({
  device_id: Id,
  name: Type.String(),
  unit_id: Nullable(Type.Integer({ description: 'Modbus unit id (slave address).' })),
  template_id: Nullable(Id),
  problem: Nullable(MessageText('Reason why the device is not polled.')),
  registers: Type.Array(PreviewRegister, {
    description: 'Registers of the map that are read over Modbus.',
  }),
  blocks: Type.Array(Block, {
    description: 'Requests of one polling round, merged by the rules of the register map.',
  }),
})

const PollGroupBudget = Type.Object({
  name: Type.String(),
  period_ms: Type.Integer({ description: 'Polling period in ms.' }),
  expected_ms: Ms('Expected duration of one polling round of all devices in ms.'),
  worst_case_ms: Ms(
    'Duration in ms of the first round if the devices refuse every request of several registers. It does ' +
      'not count for is_possible, because later rounds leave the refused registers out.',
  ),
  is_possible: Type.Boolean({ description: 'Whether the expected duration is within the period.' }),
})

const Change = Type.Object(
  {
    kind: { ...Word(CHANGE_KINDS), description: 'Kind of object that changes.' },
    template_id: Nullable(Id),
    name: Type.String({ description: 'Id of the device, key of the register or name of the setting.' }),
    change: {
      ...Word(['added', 'removed', 'changed']),
      description: 'Kind of change from the compared configuration to this one.',
    },
    fields: Type.Array(Type.String(), { description: 'Changed fields, when the object was changed.' }),
  },
  { title: 'RawConfigChange' },
)

export const RawConfigPreview = Type.Object(
  {
    gateway_id: Id,
    gateway_type: Type.String(),
    sha256: Sha256,
    next_version: Type.Integer({
      description: 'Version that a sync would push; equal to the current one when nothing changes.',
    }),
    is_changed: Type.Boolean({
      description: 'Whether the configuration differs from the most recently pushed one.',
    }),
    ...ConfigStateFields,
    config_synced_at: Nullable(Instant),
    reported_reason: Nullable(
      Type.String({ description: 'Reason why the gateway rejected the configuration.' }),
    ),
    size_bytes: Type.Integer({ description: 'Size of the pushed configuration in bytes.' }),
    devices: Type.Array(PreviewDevice, { description: 'Devices of the gateway, ordered by unit id.' }),
    poll_groups: Type.Array(PollGroupBudget, {
      description: 'Poll groups with their expected duration and period.',
    }),
    bus_load_pct: Type.Number({ description: 'Share of the bus time that all poll groups need, %.' }),
    is_possible: Type.Boolean({ description: 'Whether the periods of all poll groups can be met.' }),
    changes: Type.Array(Change, {
      description: `Changes compared with the most recently pushed configuration; at most ${GATEWAY_CHANGES_LISTED_MAX}.`,
    }),
    changes_total: Type.Integer({ description: 'Total number of changes.' }),
    polling: Type.Unsafe<unknown>({
      type: ['object', 'null'],
      additionalProperties: true,
      description:
        'Polling state of a Modbus gateway: number of devices, number of healthy devices, and the devices ' +
        'with problems (device_id, state, error, refused).',
    }),
    polling_at: Nullable(Instant),
    ...Warnings,
  },
  { title: 'RawConfigPreview' },
)

export const SyncBody = Nullable(
  Type.Object({
    force: Type.Optional(
      Type.Boolean({
        description: 'Push although the bus time does not suffice for the periods (BUS_TIME_EXCEEDED).',
      }),
    ),
  }),
)

export const RawConfigSynced = Type.Object(
  {
    gateway_id: Id,
    version: Type.Integer({
      description: 'Version number of the configuration, incremented for each changed push to the gateway.',
    }),
    sha256: Sha256,
    is_new: Type.Boolean({
      description: 'false: the configuration was unchanged, and the same version was pushed again.',
    }),
    config_state: {
      ...Word(['in_sync', 'pending']),
      description: 'pending: the gateway has not responded yet.',
    },
    config_synced_at: Instant,
    ...Warnings,
  },
  { title: 'RawConfigSynced' },
)

const VersionNumber = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Version number of a pushed configuration, from 1.',
})
export const VersionParams = Type.Object({ id: Id, version: VersionNumber })
export const VersionListQuery = Type.Object(PageQuery(['version']))
export type VersionListQuery = Static<typeof VersionListQuery>
export const VersionQuery = Type.Object({
  compare_with: Type.Optional(
    described(VersionNumber, 'Version with which it is compared. Default: the one before it.'),
  ),
})

const version = {
  gateway_id: Id,
  version: VersionNumber,
  sha256: Sha256,
  size_bytes: Type.Integer({ description: 'Size of the configuration in bytes.' }),
  is_forced: Type.Boolean({ description: 'Whether it was pushed although the bus time did not suffice.' }),
  created_at: described(Instant, 'Time of the first push of this version.'),
  created_by: Nullable(described(Id, 'User who pushed it first.')),
}
export const RawConfigVersion = Type.Object(version, { title: 'RawConfigVersion' })

export const RawConfigVersionDetail = Type.Object(
  {
    ...version,
    config: Type.Unsafe<unknown>({
      type: 'object',
      additionalProperties: true,
      description:
        'The configuration as it was pushed: `gateway`, `maps` by template, and `devices` ' +
        '(docs/integrate/modbus.md).',
    }),
    compared_with: Nullable(
      described(VersionNumber, 'Version with which it is compared; null: none, everything is added.'),
    ),
    changes: Type.Array(Change, {
      description: `Changes from the compared version to this one; at most ${GATEWAY_CHANGES_LISTED_MAX}.`,
    }),
    changes_total: Type.Integer({ description: 'Total number of changes.' }),
  },
  { title: 'RawConfigVersionDetail' },
)
