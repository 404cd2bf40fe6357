import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textOf } from '../../kernel/messages.ts'
import { type BusBudget, busBudget, expectedMs, worstCase } from './bus-time.ts'
import { type Block, planReads, splitBlock } from './plan.ts'
import type { BusRules, ModbusRange, ReadFunction, RegisterDef, RegisterMap } from './types.ts'

const BUS: BusRules = {
  unitId: 1,
  maxBlock: 60,
  maxGap: 8,
  timeoutMs: 1000,
  retries: 1,
  interRequestMs: 0,
  connectDelayMs: 0,
  keepConnection: true,
  baudRate: null,
}

function register(
  key: string,
  modbusRange: ModbusRange | null,
  more: Partial<RegisterDef> = {},
): RegisterDef {
  return {
    key,
    metric: key,
    modbusRange: modbusRange,
    mqttPath: null,
    type: 'u16',
    kind: 'gauge',
    byteOrder: 'big',
    wordOrder: 'big',
    scale: { mantissa: 1, exponent: 0 },
    offset: 0,
    scaleFactorRef: null,
    unit: null,
    counterMax: null,
    resetPolicy: 'detect',
    notAvailable: { bits: [], numbers: [] },
    min: null,
    max: null,
    bit: null,
    mask: null,
    labels: null,
    pollGroup: 'normal',
    deadband: 0,
    precision: null,
    ...more,
  }
}

function mapOf(registers: readonly RegisterDef[], bus: Partial<BusRules> = {}): RegisterMap {
  return {
    vendor: null,
    model: null,
    version: null,
    transports: ['modbus_tcp'],
    bus: { ...BUS, ...bus },
    pollGroups: new Map([
      ['fast', { name: 'fast', periodMs: 1000 }],
      ['normal', { name: 'normal', periodMs: 10_000 }],
    ]),
    registers,
    byKey: new Map(registers.map((one) => [one.key, one])),
  }
}

const at = (fn: ReadFunction, address: number, count = 1): ModbusRange => ({ function: fn, address, count })
const format = ({ function: fn, address, count, keys }: Block) =>
  `${fn}:${address}+${count} ${keys.join(',')}`
const formatPlan = (map: RegisterMap) =>
  Object.fromEntries(planReads(map).map(({ group, blocks }) => [group.name, blocks.map(format)]))

describe('read blocks', () => {
  it('join neighbours across an allowed gap only', () => {
    const map = mapOf([
      register('c', at(3, 19)),
      register('a', at(3, 0, 2)),
      register('b', at(3, 10, 2)),
      register('d', at(4, 21)),
    ])
    expect(formatPlan(map)).toEqual({ normal: ['3:0+20 a,b,c', '4:21+1 d'] })
    expect(formatPlan(mapOf(map.registers, { maxGap: 7 }))).toEqual({
      normal: ['3:0+2 a', '3:10+10 b,c', '4:21+1 d'],
    })
  })

  it('are split at the device’s limit, never within a value', () => {
    const map = mapOf(
      [0, 4, 8].map((address) => register(`r${address}`, at(3, address, 4))),
      { maxBlock: 10 },
    )
    expect(formatPlan(map)).toEqual({ normal: ['3:0+8 r0,r4', '3:8+4 r8'] })
  })

  it('include a scale factor in every group that needs it, and in no other', () => {
    const map = mapOf([
      register('w', at(3, 10), { scaleFactorRef: 'w_sf', pollGroup: 'fast' }),
      register('wh', at(3, 40, 2), { scaleFactorRef: 'w_sf' }),
      register('w_sf', at(3, 12), { metric: null }),
      register('v_sf', at(3, 90), { metric: null }),
    ])
    expect(formatPlan(map)).toEqual({ fast: ['3:10+3 w,w_sf'], normal: ['3:12+1 w_sf', '3:40+2 wh'] })
  })

  it('omit registers that only MQTT carries', () => {
    expect(planReads(mapOf([register('a', null)]))).toEqual([])
  })

  it('read one word once for several values in it', () => {
    const map = mapOf(['a', 'b'].map((key, bit) => register(key, at(3, 5), { bit })))
    expect(formatPlan(map)).toEqual({ normal: ['3:5+1 a,b'] })
  })
})

const ranges = fc.record({
  function: fc.constantFrom<ReadFunction>(1, 2, 3, 4),
  address: fc.integer({ min: 0, max: 400 }),
  count: fc.integer({ min: 1, max: 8 }),
})
const anyMap = fc
  .record({
    ranges: fc.array(fc.record({ range: ranges, isFast: fc.boolean(), hasFactor: fc.boolean() }), {
      minLength: 1,
      maxLength: 60,
    }),
    maxBlock: fc.integer({ min: 8, max: 200 }),
    maxGap: fc.integer({ min: 0, max: 30 }),
  })
  .map(({ ranges, maxBlock, maxGap }) =>
    mapOf(
      [
        ...ranges.map((one, index) =>
          register(`r${index}`, one.range, {
            pollGroup: one.isFast ? 'fast' : 'normal',
            scaleFactorRef: one.hasFactor ? 'sf' : null,
          }),
        ),
        register('sf', at(3, 77), { metric: null }),
      ],
      { maxBlock, maxGap },
    ),
  )

const endOf = ({ address, count }: Pick<ModbusRange, 'address' | 'count'>) => address + count
const rangeOf = (map: RegisterMap, key: string): ModbusRange => map.byKey.get(key)?.modbusRange ?? at(1, -1)

function checkBlock(map: RegisterMap, block: Block): void {
  const bits = block.function <= 2
  const scale = bits ? 16 : 1
  expect(block.count).toBeLessThanOrEqual(Math.min(map.bus.maxBlock * scale, bits ? 2000 : 125))
  const ranges = block.keys.map((key) => rangeOf(map, key)).sort((a, b) => a.address - b.address)
  let end = block.address
  for (const one of ranges) {
    expect(one.function).toBe(block.function)
    expect(one.address).toBeGreaterThanOrEqual(block.address)
    expect(endOf(one)).toBeLessThanOrEqual(endOf(block))
    expect(one.address - end).toBeLessThanOrEqual(map.bus.maxGap * scale)
    end = Math.max(end, endOf(one))
  }
  expect([ranges[0]?.address, end]).toEqual([block.address, endOf(block)])
}

describe('any map', () => {
  it('is covered: every register in exactly one block of its group, whole, within limits and gaps', () => {
    fc.assert(
      fc.property(anyMap, (map) => {
        for (const { group, blocks } of planReads(map)) {
          const wanted = map.registers.filter(({ metric, pollGroup }) => metric && pollGroup === group.name)
          const needsFactor = wanted.some(({ scaleFactorRef }) => scaleFactorRef)
          const keys = [...wanted.map(({ key }) => key), ...(needsFactor ? ['sf'] : [])]
          expect(blocks.flatMap((block) => block.keys).toSorted()).toEqual(keys.toSorted())
          for (const block of blocks) checkBlock(map, block)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('can be split down to the registers that a device rejects, without losing others', () => {
    fc.assert(
      fc.property(anyMap, fc.integer({ min: 0, max: 400 }), (map, illegal) => {
        const refuses = (block: ModbusRange) => block.address <= illegal && illegal < endOf(block)
        const waiting = planReads(map).flatMap(({ blocks }) => blocks)
        const all = waiting.flatMap(({ keys }) => keys).toSorted()
        const read: string[] = []
        const refused: string[] = []
        for (let block = waiting.pop(); block; block = waiting.pop()) {
          if (!refuses(block)) read.push(...block.keys)
          else {
            const parts = splitBlock(map, block)
            if (parts.length === 0) refused.push(...block.keys)
            else expect(parts.flatMap(({ keys }) => keys).toSorted()).toEqual(block.keys.toSorted())
            waiting.push(...parts)
          }
        }
        expect([...read, ...refused].toSorted()).toEqual(all)
        expect(refused.toSorted()).toEqual(all.filter((key) => refuses(rangeOf(map, key))))
      }),
      { numRuns: 200 },
    )
  })
})

describe('the worst case of a request', () => {
  /** The requests of a round in which the device refuses every request that `refuses` names. */
  function requestsOf(map: RegisterMap, block: Block, refuses: (block: Block) => boolean): number {
    const parts = refuses(block) ? splitBlock(map, block) : []
    return parts.reduce((sum, part) => sum + requestsOf(map, part, refuses), 1)
  }

  it('is the round in which the device refuses every request of several registers', () => {
    fc.assert(
      fc.property(anyMap, fc.integer({ min: 0, max: 400 }), (map, illegal) => {
        for (const { blocks } of planReads(map))
          for (const block of blocks) {
            const { requests, ms } = worstCase(map, block)
            expect(requests).toBe(requestsOf(map, block, () => true))
            const refuses = (one: Block) => one.address <= illegal && illegal < endOf(one)
            expect(requestsOf(map, block, refuses)).toBeLessThanOrEqual(requests)
            expect(ms).toBeGreaterThanOrEqual(expectedMs(block, map.bus))
          }
      }),
      { numRuns: 100 },
    )
  })

  it('counts the refused requests and the pause after each', () => {
    const range = (address: number) => register(`r${address}`, at(3, address))
    const map = mapOf([range(0), range(1), range(2), range(3), range(8)], { interRequestMs: 20 })
    const [block] = planReads(map)[0]?.blocks ?? []
    // 0 to 8, then 0 to 3 and 8, then 0 to 1 and 2 to 3, then four single registers.
    expect(block && worstCase(map, block)).toEqual({ requests: 9, ms: 9 * 25 })
  })

  it('includes the transmission time of an exception for a refused request', () => {
    const map = mapOf([register('a', at(3, 0)), register('b', at(3, 1))], { baudRate: 9600 })
    const [block] = planReads(map)[0]?.blocks ?? []
    const single = expectedMs({ function: 3, address: 0, count: 1, keys: [] }, map.bus)
    const exception = expectedMs({ function: 3, address: 0, count: 0, keys: [] }, map.bus)
    expect(block && worstCase(map, block)).toEqual({ requests: 3, ms: exception + 2 * single })
  })
})

describe('bus time', () => {
  it('includes the transmission time of a serial line', () => {
    const block: Block = { function: 3, address: 0, count: 60, keys: ['a'] }
    // (8 + 5 + 120) bytes of 11 bits and 7 silent characters at 9600 baud: 160.4 ms; 20 ms for network and
    // slave.
    expect(expectedMs(block, { baudRate: 9600, interRequestMs: 20 })).toBeCloseTo(200.4, 1)
    expect(expectedMs(block, { baudRate: 115_200, interRequestMs: 0 })).toBeCloseTo(36.2, 1)
    expect(expectedMs(block, { baudRate: null, interRequestMs: 0 })).toBe(5)
  })

  it('grows with every register, and falls with the speed', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 124 }),
        fc.constantFrom(1200, 9600, 19_200, 38_400),
        (count, baud) => {
          const of = (registers: number, baudRate: number) =>
            expectedMs(
              { function: 4, address: 0, count: registers, keys: [] },
              { baudRate, interRequestMs: 5 },
            )
          expect(of(count + 1, baud)).toBeGreaterThan(of(count, baud))
          expect(of(count, baud * 2)).toBeLessThan(of(count, baud))
        },
      ),
    )
  })

  const device = (registers: readonly RegisterDef[], baudRate: number) => {
    const map = mapOf(registers, { baudRate, interRequestMs: 20 })
    return { map, groups: planReads(map) }
  }

  const texts = ({ problems }: BusBudget) => problems.map((problem) => textOf(problem))

  it('reports periods that cannot be kept', () => {
    const one = device([register('p', at(3, 0, 60), { pollGroup: 'fast' })], 9600)
    const fine = busBudget(Array(4).fill(one))
    expect(fine.groups).toMatchObject([{ name: 'fast', periodMs: 1000, isPossible: true }])
    expect(fine.problems).toEqual([])
    const tooMuch = busBudget(Array(9).fill(one))
    expect(tooMuch.groups).toMatchObject([{ isPossible: false }])
    expect(texts(tooMuch)).toEqual(['poll group fast needs 1.8 s, period 1 s'])
  })

  it('reports groups that fit alone but not together', () => {
    const fast = device([register('p', at(3, 0, 60), { pollGroup: 'fast' })], 9600)
    const slow = device([register('p', at(3, 0, 60))], 9600)
    const budget = busBudget([...Array(4).fill(fast), ...Array(20).fill(slow)])
    expect(budget.groups.map(({ isPossible }) => isPossible)).toEqual([true, true])
    expect(texts(budget)).toEqual(['the poll groups together need 120 % of the time of the line'])
  })
})
