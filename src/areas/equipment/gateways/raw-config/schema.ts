import { Type } from 'typebox'
import { Id, Instant, Nullable, Warnings, Word } from '../../../../platform/http/fields.ts'
import { CHANGE_KINDS } from './diff.ts'

const Sha256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'Of the bytes of the configuration as it is pushed.',
})
const PollGroupName = Type.String({ description: 'Poll group of the register map.' })
const ReadFunction = Type.Integer({ description: 'Modbus function, 1 to 4.' })
const Count = Type.Integer({ description: 'Registers; for functions 1 and 2, bits.' })
const Ms = (description: string) => Type.Number({ description })

/** Configuration state of a gateway, part of the gateway's own schema. */
export const ConfigStateFields = {
  config_state: Nullable({
    ...Word(['in_sync', 'pending', 'drift', 'rejected']),
    description:
      'Null: nothing was pushed. pending: not answered yet; drift: it has something else; rejected: it ' +
      'refused.',
  }),
  synced_version: Nullable(
    Type.Integer({ description: 'Version of the configuration that was pushed last.' }),
  ),
  reported_version: Nullable(Type.Integer({ description: 'Version that the gateway says it has.' })),
  reported_at: Nullable(Instant),
}

const Block = Type.Object({
  poll_group: PollGroupName,
  function: ReadFunction,
  address: Type.Integer({ description: 'Of the first register, from 0.' }),
  count: Count,
  keys: Type.Array(Type.String(), { description: 'The registers that it is read for.' }),
  expected_ms: Ms('Time on the line.'),
})

const PreviewRegister = Type.Object({
  key: Type.String({ description: 'Of the register in its map.' }),
  metric: Nullable(Type.String({ description: 'Under which its value is stored; null: read for others.' })),
  function: ReadFunction,
  address: Type.Integer(),
  count: Count,
  type: Type.String({ description: 'How its bits are read.' }),
  poll_group: PollGroupName,
})

const PreviewDevice = Type.Object({
  device_id: Id,
  name: Type.String(),
  unit_id: Nullable(Type.Integer({ description: 'Modbus unit (slave).' })),
  template_id: Nullable(Id),
  problem: Nullable(Type.String({ description: 'Why nothing is read of it.' })),
  registers: Type.Array(PreviewRegister, { description: 'What of its map Modbus carries.' }),
  blocks: Type.Array(Block, { description: 'The requests of one round, joined by the rules of the map.' }),
})

const PollGroupBudget = Type.Object({
  name: Type.String(),
  period_ms: Type.Integer({ description: 'How often it is to be read.' }),
  expected_ms: Ms('What one round of all devices needs.'),
  is_possible: Type.Boolean({ description: 'Whether that is within the period.' }),
})

const Change = Type.Object({
  kind: { ...Word(CHANGE_KINDS), description: 'What it is that changes.' },
  template_id: Nullable(Id),
  name: Type.String({ description: 'Id of the device, key of the register, or name of the setting.' }),
  change: { ...Word(['added', 'removed', 'changed']), description: 'Against what was pushed last.' },
  fields: Type.Array(Type.String(), { description: 'What of it differs, when it was changed.' }),
})

export const RawConfigPreview = Type.Object({
  gateway_id: Id,
  gateway_type: Type.String(),
  sha256: Sha256,
  next_version: Type.Integer({
    description: 'Version that a sync would push; the same when nothing changes.',
  }),
  is_changed: Type.Boolean({ description: 'Whether it differs from what was pushed last.' }),
  ...ConfigStateFields,
  config_synced_at: Nullable(Instant),
  reported_reason: Nullable(Type.String({ description: 'Why the gateway refused it.' })),
  size_bytes: Type.Integer({ description: 'Of the configuration as it is pushed.' }),
  devices: Type.Array(PreviewDevice, { description: 'The devices on the gateway, by unit.' }),
  poll_groups: Type.Array(PollGroupBudget, { description: 'The time that they need against their periods.' }),
  bus_load_pct: Type.Number({ description: 'Share of the line’s time that all poll groups need.' }),
  is_possible: Type.Boolean({ description: 'Whether every period can be kept.' }),
  changes: Type.Array(Change, { description: 'Against what was pushed last; at most 500.' }),
  changes_total: Type.Integer({ description: 'How many there are.' }),
  polling: Type.Unsafe<unknown>({
    type: ['object', 'null'],
    additionalProperties: true,
    description:
      'Of a Modbus gateway, how polling goes: devices, good, and troubled (device_id, state, error, ' +
      'refused).',
  }),
  polling_at: Nullable(Instant),
  ...Warnings,
})

export const SyncBody = Nullable(
  Type.Object({
    force: Type.Optional(
      Type.Boolean({ description: 'Push although the line cannot keep the periods (BUS_TIME_EXCEEDED).' }),
    ),
  }),
)

export const RawConfigSynced = Type.Object({
  gateway_id: Id,
  version: Type.Integer({ description: 'Counts the pushed configurations of the gateway.' }),
  sha256: Sha256,
  is_new: Type.Boolean({ description: 'false: nothing had changed, and the same version was pushed again.' }),
  config_state: {
    ...Word(['in_sync', 'pending']),
    description: 'pending: the gateway has not answered yet.',
  },
  config_synced_at: Instant,
  ...Warnings,
})
