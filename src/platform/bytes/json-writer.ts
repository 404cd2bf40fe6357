import { ByteWriter, textPart } from './byte-writer.ts'

const NULL = textPart('null')

/**
 * Writes JSON as bytes. Numbers are written as JSON.stringify does: those of up to six decimals digit by digit, the
 * others from their text.
 */
export class JsonWriter extends ByteWriter {
  number(value: number | null): void {
    if (value === null) this.part(NULL)
    else if (!this.decimal(value)) this.ascii(JSON.stringify(value))
  }
}
