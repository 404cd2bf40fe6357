import { at, floatAt, intAt } from '../../../kernel/checked.ts'
import type { SampleSink } from '../intake-contract/index.ts'
import { VALUE_COLUMNS } from '../sample-columns.ts'
import { larger, SampleBlock } from './block.ts'

/**
 * The samples of a body as columns of a block that lacks only the keys of its devices. A sample is complete once
 * `end` was called for it; until then it may be written again.
 */
export class DecodedSamples {
  count = 0
  readonly devices: { readonly deviceId: string }[] = []
  /** Indexes in `devices`. */
  deviceOf = new Int32Array(0)
  /** Epoch milliseconds. */
  at = new Float64Array(0)
  /** The value columns that a sample has, one bit each. */
  private masks = new Int32Array(0)
  private valuesFrom = new Int32Array(0)
  /** The values of all samples, those of a sample in the order of the columns; as they were sent. */
  values = new Float64Array(0)
  /** Where the values of the next sample begin. */
  valuesTo = 0

  /** Makes room for a number of samples in all, and for the values of each. */
  reserve(samples: number, valuesEach: number): void {
    if (samples > this.at.length) {
      this.deviceOf = larger(this.deviceOf, samples)
      this.at = larger(this.at, samples)
      this.masks = larger(this.masks, samples)
      this.valuesFrom = larger(this.valuesFrom, samples)
    }
    const values = samples * valuesEach
    if (values > this.values.length) this.values = larger(this.values, values)
  }

  /** Makes room for one more sample. */
  begin(values: number): void {
    if (this.count === this.at.length) this.reserve(this.count * 2 + 1, 0)
    if (this.valuesTo + values > this.values.length)
      this.values = larger(this.values, this.values.length * 2 + values)
  }

  /** Completes a sample whose device, instant and values are written. */
  end(mask: number, values: number): void {
    this.masks[this.count] = mask
    this.valuesFrom[this.count] = this.valuesTo
    this.valuesTo += values
    this.count += 1
  }

  /** Returns the index of a new device. */
  addDevice(deviceId: string): number {
    return this.devices.push({ deviceId }) - 1
  }

  deviceIdOf(index: number): string {
    return at(this.devices, intAt(this.deviceOf, index)).deviceId
  }

  /** Gives the columns to a block. Every device has a key. */
  toBlock(tenantId: number, keys: ReadonlyMap<string, number>, now: number): SampleBlock {
    const { count, deviceOf, at, masks, valuesFrom, values } = this
    return SampleBlock.of(tenantId, now, {
      ...{ count, deviceOf, at, masks, valuesFrom, values },
      deviceIds: this.devices.map(({ deviceId }) => deviceId),
      deviceKeys: this.devices.map(({ deviceId }) => keys.get(deviceId) as number),
    })
  }

  addTo(sink: SampleSink, keys: ReadonlyMap<string, number>): void {
    const columns = { mask: 0, values: new Float64Array(VALUE_COLUMNS.length) }
    for (let index = 0; index < this.count; index++) {
      columns.mask = intAt(this.masks, index)
      let from = intAt(this.valuesFrom, index)
      for (let column = 0; column < VALUE_COLUMNS.length; column++)
        if ((columns.mask & (1 << column)) !== 0) columns.values[column] = floatAt(this.values, from++)
      const deviceId = this.deviceIdOf(index)
      sink.addColumns(deviceId, keys.get(deviceId) as number, floatAt(this.at, index), columns)
    }
  }
}
