import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { fieldsOf } from '../../../../test/support/netting/fact-fields.ts'
import type { MemberInput } from '../../../core/netting/types.ts'
import { parseKwh } from '../../../kernel/decimal.ts'
import { HOUR_MS, periodRange } from '../../../kernel/time.ts'
import { startThread } from '../../../platform/async/start-thread.ts'
import type { EncodedRows } from '../../../platform/db/copy-rows.ts'
import { type Engine, type FactPiece, type FactPieces, makeEngines } from './engine.ts'
import { type EngineSteps, makeEngineSteps } from './engine-steps.ts'
import type { FactText } from './fact-text.ts'
import {
  CALCULATION_THREADS_MAX,
  CALCULATION_THREADS_WAITING_MAX,
  INPUT_ROWS_AT_ONCE,
  KEPT_FACILITY_HOURS_MAX,
} from './limits.ts'
import { continueInput, type FactSpan, splitInput, type WindowInput } from './window-input.ts'

const PERIOD = '2026-06-01'
const MONTH = periodRange(PERIOD)
/** A tariff with steps, so that the facts before the window count. */
const WINDOW = { from: MONTH.from + 48 * HOUR_MS, to: MONTH.from + 480 * HOUR_MS }
const ACCOUNT = '00000000-0000-4000-8000-0000000000aa'

const member = (facilityId: string, role: MemberInput['role']): MemberInput => ({
  facilityId,
  facilityName: facilityId,
  role,
  validFrom: '2020-01-01',
  validTo: null,
  aboneGrubu: 'ticarethane',
  tariffSupplyType: 'regulated',
  isMultiTime: false,
  voltageLevel: null,
  producerTariffGroup: null,
  sourceType: 'solar',
  gridOperatorId: null,
  hasStorage: false,
})
const PLANT = '00000000-0000-4000-8000-000000000001'
const SHOP = '00000000-0000-4000-8000-000000000002'

const INPUT: WindowInput = {
  groupId: '00000000-0000-4000-8000-000000000009',
  groupName: 'group',
  billingPeriod: PERIOD,
  window: WINDOW,
  eligibilityStatus: 'valid',
  strictStorageExport: true,
  members: [member(PLANT, 'production'), member(SHOP, 'consumption')],
  assignments: [
    { facilityId: PLANT, role: 'main_production', from: 0, to: null },
    { facilityId: SHOP, role: 'main_consumption', from: 0, to: null },
  ],
  accounts: [{ accountId: ACCOUNT, facilityId: SHOP, year: 2026, openingBalanceKwh: parseKwh('5000.000') }],
  prices: [],
}

const OWNER = { tenantId: 1, runId: SHOP, groupId: INPUT.groupId, at: MONTH.to }

/** Values of each hour in the range, as the database writes them; hour 60 was derived with other roles. */
function factText(facilityId: string, { from, to }: typeof WINDOW, plantWh = 250): FactText {
  const isPlant = facilityId === PLANT
  const hours: number[] = []
  for (let hour = from; hour < to; hour += HOUR_MS) hours.push(hour)
  const indexes = hours.map((hour) => (hour - MONTH.from) / HOUR_MS)
  const wh = indexes.map((index) => `${10 + (index % 7)}${isPlant ? plantWh : 125}`).join()
  return {
    facility_id: facilityId,
    source: 'zeus_meter',
    measurement_role: isPlant ? 'main_production' : 'main_consumption',
    hours: hours.map((hour) => (hour - from) / HOUR_MS).join(),
    qualities: null,
    completeness: hours.map((_, index) => (index === 5 ? '99.5' : '')).join(),
    role_sets: indexes.map((index) => (index === 60 ? '4' : '')).join(),
    production: isPlant ? wh : null,
    consumption: isPlant ? null : wh,
    self_consumption: null,
    import: null,
    export: null,
    battery: null,
  }
}

async function* facts(): AsyncGenerator<FactPiece> {
  const piece = (span: FactSpan, id: string, range = WINDOW) => ({
    span,
    fields: fieldsOf([factText(id, range)]),
  })
  yield piece('window', PLANT)
  yield piece('window', SHOP)
  yield piece('before', SHOP, { from: MONTH.from, to: WINDOW.from })
}

/** Many shops, whose rows take many pieces. */
const SHOPS = Array.from({ length: 60 }, (_, index) => `00000000-0000-4000-8000-0000000001${index + 10}`)
const MANY: WindowInput = {
  ...INPUT,
  members: [member(PLANT, 'production'), ...SHOPS.map((id) => member(id, 'consumption'))],
  assignments: [
    { facilityId: PLANT, role: 'main_production', from: 0, to: null },
    ...SHOPS.map((facilityId) => ({ facilityId, role: 'main_consumption' as const, from: 0, to: null })),
  ],
  accounts: SHOPS.map((facilityId) => ({
    ...{ accountId: facilityId, facilityId, year: 2026 },
    openingBalanceKwh: parseKwh('500000.000'),
  })),
}
async function* manyFacts(): AsyncGenerator<FactPiece> {
  for (const id of [PLANT, ...SHOPS])
    yield { span: 'window', fields: fieldsOf([factText(id, WINDOW, 25_000)]) }
}

const everything = (engine: Engine) => collect(engine, INPUT, facts)

async function collect(
  engine: Engine,
  input: WindowInput,
  pieces: FactPieces,
  onRows: (rows: EncodedRows) => void = () => {},
) {
  await engine.load(input, pieces)
  const result = await engine.result()
  const rows: ReturnType<typeof readable>[] = []
  for await (const piece of engine.rows(OWNER)) {
    rows.push(readable(piece))
    onRows(piece)
  }
  return { result, rows }
}

const readable = ({ bytes, ...rows }: EncodedRows) => ({ ...rows, bytes: Buffer.from(bytes).toString('hex') })

const SCRIPT = { source: new URL('./engine-thread.ts', import.meta.url), built: 'engine-thread' }
/** Facility hours of a calculation with a kept thread, and of one with its own. */
const [SMALL, LARGE] = [KEPT_FACILITY_HOURS_MAX, KEPT_FACILITY_HOURS_MAX + 1]

const startEngine = () => startThread(SCRIPT, {})
/** Starts faster than an engine, and answers each step without a result. */
const startAnswering = () =>
  new Worker(
    "const { parentPort } = require('worker_threads'); parentPort.on('message', () => parentPort.postMessage({}))",
    {
      eval: true,
    },
  )
const firstRow = (engine: Engine) => engine.rows(OWNER).next()

const startOneOf =
  (started: Worker[], start = startEngine) =>
  () => {
    const worker = start()
    started.push(worker)
    return worker
  }

describe('the engine of calculations', () => {
  it('returns the same from a thread as from the event loop', async () => {
    const started: Worker[] = []
    const withEngine = makeEngines({ threadHoursMin: 1_000, start: startOneOf(started) })
    const here = await withEngine(999, everything)
    expect(started).toEqual([])
    const there = await withEngine(1_000, everything)
    expect(there).toEqual(here)
    expect(await withEngine(LARGE, everything)).toEqual(here)
    expect(here.result).toMatchObject({
      hourCount: 432,
      otherRoles: new Map([
        [PLANT, 1],
        [SHOP, 1],
      ]),
    })
    expect(here.rows.map(({ table }) => table)).toEqual([
      'limit_usage_hour',
      'calculation_hour',
      'virtual_meter_hour',
      'amount',
      'calculation_input',
    ])
    // The first thread is kept; that of the large calculation has ended with it.
    expect(started.map(({ threadId }) => threadId > 0)).toEqual([true, false])
    await started[0]?.terminate()
  })

  it('keeps a thread for the next calculation, and starts another one when it has ended', async () => {
    const started: Worker[] = []
    const withEngine = makeEngines({ threadHoursMin: 0, start: startOneOf(started, startAnswering) })
    await withEngine(SMALL, firstRow)
    await withEngine(SMALL, firstRow)
    expect(started).toHaveLength(1)
    await started[0]?.terminate()
    await withEngine(SMALL, firstRow)
    expect(started).toHaveLength(2)
    await started[1]?.terminate()
  })

  it('ends a thread that is idle', async () => {
    const started: Worker[] = []
    const withEngine = makeEngines({
      ...{ threadHoursMin: 0, idleMs: 1 },
      start: startOneOf(started, startAnswering),
    })
    await withEngine(SMALL, firstRow)
    const [worker] = started
    if (worker && worker.threadId > 0) await once(worker, 'exit')
    expect(worker?.threadId).toBe(-1)
    await withEngine(SMALL, firstRow)
    expect(started).toHaveLength(2)
  })

  it('keeps no thread after a calculation that has failed', async () => {
    const started: Worker[] = []
    const withEngine = makeEngines({ threadHoursMin: 0, start: startOneOf(started, startAnswering) })
    const failed = withEngine(SMALL, async () => {
      throw new Error('a statement has failed')
    })
    await expect(failed).rejects.toThrow('a statement has failed')
    expect(started.map(({ threadId }) => threadId)).toEqual([-1])
  })

  it('returns the same whether the rows are kept, computed once more, or computed before the result', async () => {
    const stepsOf = async (keptHoursMax: number) => {
      const steps = makeEngineSteps(keptHoursMax)
      steps.begin(INPUT)
      for await (const { span, fields } of facts()) steps.addFacts(span, fields)
      return steps
    }
    const rowsOf = (steps: EngineSteps) => {
      const rows: ReturnType<typeof readable>[] = []
      for (let next = steps.nextRows(OWNER); next; next = steps.nextRows(OWNER)) rows.push(readable(next))
      return rows
    }
    const resultFirst = async (keptHoursMax: number) => {
      const steps = await stepsOf(keptHoursMax)
      return [steps.compute(), rowsOf(steps)]
    }
    const kept = await resultFirst(LARGE)
    expect(await resultFirst(0)).toEqual(kept)
    const steps = await stepsOf(LARGE)
    const rows = rowsOf(steps)
    expect([steps.compute(), rows]).toEqual(kept)
  })

  it('takes a large input in pieces', () => {
    const many = Array.from({ length: 2 * INPUT_ROWS_AT_ONCE + 1 }, (_, index) =>
      member(`${index}`, 'consumption'),
    )
    const input = { ...MANY, members: many }
    const [first, ...others] = splitInput(input)
    expect([first, ...others].map(({ members }) => members.length)).toEqual([
      INPUT_ROWS_AT_ONCE,
      INPUT_ROWS_AT_ONCE,
      1,
    ])
    expect(others.reduce(continueInput, first)).toEqual(input)
  })

  it('returns the same rows in buffers that are used again', async () => {
    const withEngine = makeEngines({ threadHoursMin: 0 })
    const expected = await withEngine(LARGE, (engine) => collect(engine, MANY, manyFacts))
    expect(expected.rows.length).toBeGreaterThan(5)
    const buffers: ArrayBuffer[] = []
    const reused = await withEngine(LARGE, (engine) =>
      collect(engine, MANY, manyFacts, (rows) => {
        buffers.push(rows.bytes.buffer)
        engine.reuse(rows)
      }),
    )
    expect(reused).toEqual(expected)
    // A buffer that was moved back has no bytes here: all but the input's and that of the last piece.
    expect(buffers.filter(({ byteLength }) => byteLength > 0)).toHaveLength(2)
  })

  it('reads facts into buffers that are used again', async () => {
    const withEngine = makeEngines({ threadHoursMin: 0 })
    const used: number[] = []
    await withEngine(LARGE, async (engine) =>
      engine.load(MANY, async function* (spares) {
        for await (const piece of manyFacts()) {
          used.push(spares.splice(0).filter(({ byteLength }) => byteLength > 0).length)
          yield piece
        }
      }),
    )
    // While the thread adds a piece, the next one is read; the buffer of the one before is back.
    expect(used).toEqual(used.map((_, index) => (index < 2 ? 0 : 1)))
  })

  it('computes a second window in the same thread', async () => {
    const withEngine = makeEngines({ threadHoursMin: 0 })
    const [first, again] = await withEngine(LARGE, async (engine) => [
      await everything(engine),
      await everything(engine),
    ])
    expect(again).toEqual(first)
  })

  it('fails with the error of a step, and ends the thread', async () => {
    const withEngine = makeEngines({ threadHoursMin: 0 })
    const early = withEngine(LARGE, (engine) => engine.rows(OWNER).next())
    await expect(early).rejects.toThrow('wrong order')
    expect(await withEngine(LARGE, everything)).toMatchObject({ result: { hourCount: 432 } })
  })

  it('says that a group is too large when the memory of the thread does not suffice', async () => {
    const start = () => startThread(SCRIPT, { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 8 })
    const withEngine = makeEngines({ threadHoursMin: 0, start })
    // Long numbers fill the memory soon.
    const { hours, ...text } = factText(SHOP, WINDOW)
    const consumption = hours.replaceAll(/\d+/g, '1'.repeat(18))
    const texts = Array.from({ length: 50 }, () => ({ ...text, hours, consumption }))
    async function* endless(): AsyncGenerator<FactPiece> {
      for (;;) yield { span: 'window', fields: fieldsOf(texts) }
    }
    const computed = withEngine(LARGE, (engine) => engine.load(INPUT, endless))
    await expect(computed).rejects.toMatchObject({ status: 422, content: { code: 'GROUP_TOO_LARGE' } })
  })

  it('fails when the thread ends without a response, or has ended', async () => {
    const start = () => new Worker('process.exit(1)', { eval: true })
    const computed = makeEngines({ threadHoursMin: 0, start })(LARGE, everything)
    await expect(computed).rejects.toThrow()
  })

  it('refuses a calculation when too many of its kind wait, and goes on when one is done', async () => {
    const start = () => new Worker('', { eval: true })
    const withEngine = makeEngines({ threadHoursMin: 0, start })
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const room = CALCULATION_THREADS_MAX + CALCULATION_THREADS_WAITING_MAX
    const waiting = Array.from({ length: room }, () => withEngine(LARGE, () => released))
    await expect(withEngine(LARGE, async () => {})).rejects.toMatchObject({ status: 503 })
    expect(await withEngine(SMALL, async () => 'not refused')).toBe('not refused')
    release()
    await Promise.all(waiting)
    await withEngine(LARGE, async () => {})
  })
})
